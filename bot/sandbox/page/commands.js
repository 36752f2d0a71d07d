// The slash commands as a flat list: a command, or each subcommand of a group, with its whole path.
// And the commands in a message's menu, which Discord calls apps.

/** @import {Command, CommandOption} from "./discord.d.ts" */
/** @import {Leaf, Place} from "./shapes.d.ts" */
/** @import {World} from "./world.js" */

const CHAT_INPUT = 1;
const MESSAGE_MENU = 3;
const SUBCOMMAND = 1;
const GUILD_CONTEXT = 0;
const BOT_DM_CONTEXT = 1;

/** The commands that may be used in `channel`, in the bot's own order. @param {World} world @param {Place} channel */
export function commandsFor(world, channel) {
  return usable(world, channel, CHAT_INPUT).flatMap((command) => leaves(command, command.name));
}

/** The names of the commands in the menu of a message in `channel`. @param {World} world @param {Place} channel */
export function appsFor(world, channel) {
  return usable(world, channel, MESSAGE_MENU).map(({ name }) => name);
}

/** @param {World} world @param {Place} channel @param {number} kind */
function usable(world, channel, kind) {
  return world.commands.filter((command) => (command.type ?? CHAT_INPUT) === kind && allowed(command, channel));
}

/** @param {Command} command @param {Place} channel */
function allowed(command, channel) {
  const context = channel.guild ? GUILD_CONTEXT : BOT_DM_CONTEXT;
  if (command.contexts) return command.contexts.includes(context);
  return channel.guild ? true : command.dm_permission !== false;
}

/** @param {Command | CommandOption} command @param {string} path @returns {Leaf[]} */
function leaves(command, path) {
  const options = command.options ?? [];
  const nested = options.filter(({ type }) => type === SUBCOMMAND);
  if (!nested.length) return [{ path, description: command.description ?? "", options }];
  return nested.flatMap((one) => leaves(one, `${path} ${one.name}`));
}

/**
 * The commands that fit what was typed after the slash, best first. After a bare slash they stand as
 * the bot has them: what opens everything else comes first, so that a newcomer sees it at once.
 * @param {Leaf[]} commands
 * @param {string} typed
 */
export function matching(commands, typed) {
  const sought = typed.trim().toLowerCase();
  if (!sought) return commands;
  /** @param {Leaf} leaf */
  const rank = ({ path, description }) => {
    if (path.startsWith(sought)) return 0;
    if (path.split(" ").some((word) => word.startsWith(sought))) return 1;
    if (path.includes(sought)) return 2;
    return description.toLowerCase().includes(sought) ? 3 : 9;
  };
  return commands
    .map((command) => ({ command, order: rank(command) }))
    .filter(({ order }) => order < 9)
    .sort((left, right) => left.order - right.order || (left.command.path < right.command.path ? -1 : 1))
    .map(({ command }) => command);
}
