// A small bot on unmodified discord.js, which `test_other_clients` plays with.
// Its first argument is the address of the local Discord's API, without the version.

import {
  ActionRowBuilder, AttachmentBuilder, ButtonBuilder, ButtonStyle, Client, Events, GatewayIntentBits, LabelBuilder,
  MessageFlags, ModalBuilder, SlashCommandBuilder, TextInputBuilder, TextInputStyle,
} from "discord.js";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64",
);
const client = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api: process.argv[2] } });

const buttons = () => new ActionRowBuilder().addComponents(
  new ButtonBuilder().setCustomId("press").setLabel("Press").setStyle(ButtonStyle.Primary),
  new ButtonBuilder().setCustomId("form").setLabel("Form").setStyle(ButtonStyle.Secondary),
);
const picture = (name) => ({ files: [new AttachmentBuilder(PIXEL, { name })] });
const command = (name) => new SlashCommandBuilder().setName(name).setDescription(name);

client.once(Events.ClientReady, async ({ application }) => {
  await application.emojis.create({ attachment: PIXEL, name: "ace" });
  await application.commands.set([
    command("hello").addStringOption((option) => option.setName("name").setDescription("Name").setRequired(true)),
    command("look").addUserOption((option) => option.setName("player").setDescription("Whom").setRequired(true)),
    command("file"),
    command("think"),
  ]);
});

const commands = {
  async hello(asked) {
    const [emoji] = (await client.application.emojis.fetch()).values();
    await asked.reply({ content: `Hello ${asked.options.getString("name")} ${emoji}`, components: [buttons()] });
  },
  async look(asked) {
    const content = `${asked.member.displayName} looks at ${asked.options.getMember("player").displayName}`;
    await asked.reply({ content, flags: MessageFlags.Ephemeral });
  },
  async file(asked) {
    await asked.reply({ content: "first", ...picture("a.png") });
    await asked.followUp({ content: "further", ...picture("b.png") });
  },
  async think(asked) {
    await asked.deferReply({ withResponse: true });
    await asked.editReply("thought");
  },
};

client.on(Events.InteractionCreate, async (interaction) => {
  if (interaction.isChatInputCommand()) await commands[interaction.commandName](interaction);
  else if (interaction.isModalSubmit()) await interaction.update(`Form: ${interaction.fields.getTextInputValue("words")}`);
  else if (interaction.customId === "press") {
    await interaction.update({ content: `Pressed by ${interaction.user.displayName}`, components: [buttons()] });
  } else {
    const words = new TextInputBuilder().setCustomId("words").setStyle(TextInputStyle.Short);
    const label = new LabelBuilder().setLabel("Words").setTextInputComponent(words);
    await interaction.showModal(new ModalBuilder().setCustomId("bid").setTitle("Your bid").addLabelComponents(label));
  }
});

client.on(Events.Warn, console.warn);
client.on(Events.Error, console.error); // what the listeners above throw too
await client.login("sandbox");
