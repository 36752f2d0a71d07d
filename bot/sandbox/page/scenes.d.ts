// What drawing a message or a field needs to know. Apart from `shapes.d.ts`, which `world.js` needs.

import type { Button, Id, Select } from "./discord.d.ts";
import type { World } from "./world.js";

/** Tells the bot that a control was used; resolves when the bot has answered. */
export type Press = (component: Button | Select, values: string[] | null) => Promise<void>;

/** What drawing a message's components needs to know. */
export interface Scene {
  world: World;
  channel: Id;
  press: Press;
}

/** What drawing a whole message needs to know. */
export interface MessageScene extends Scene {
  failure: string | null;
  apps: string[]; // the commands in the message's menu
  openApps(anchor: HTMLElement): void;
  dismiss(): void;
}

/** What filling in an option or a field needs to know. */
export interface FieldScene {
  world: World;
  channel: Id;
}
