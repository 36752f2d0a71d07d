"""A small bot on unmodified hikari, for `test_other_clients`.

Its first argument is the address of the local Discord's API.
"""

import sys
from base64 import b64decode

import hikari
from hikari import CommandInteraction, ComponentInteraction, ModalInteraction, ResponseType

PIXEL = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)

bot = hikari.GatewayBot(
    "MTIz.sandbox",  # the bot's id in base64 comes first, or hikari takes no token
    rest_url=sys.argv[1],
    intents=hikari.Intents.GUILDS,
    banner=None,
    logs="WARNING",
    suppress_optimization_warning=True,
)


def buttons():
    row = bot.rest.build_message_action_row()
    row.add_interactive_button(hikari.ButtonStyle.PRIMARY, "press", label="Press")
    row.add_interactive_button(hikari.ButtonStyle.SECONDARY, "form", label="Form")
    return row


@bot.listen()
async def register(_: hikari.StartedEvent) -> None:
    application = await bot.rest.fetch_application()
    await bot.rest.create_application_emoji(application, "ace", hikari.Bytes(PIXEL, "ace.png"))
    options = {
        "hello": ("name", hikari.OptionType.STRING),
        "look": ("player", hikari.OptionType.USER),
        "file": None,
        "think": None,
    }
    commands = []
    for name, option in options.items():
        command = bot.rest.slash_command_builder(name, name.title())
        if option is not None:
            command.add_option(
                hikari.CommandOption(
                    name=option[0], type=option[1], description=option[0], is_required=True
                )
            )
        commands.append(command)
    await bot.rest.set_application_commands(application, commands)


@bot.listen()
async def answer(event: hikari.InteractionCreateEvent) -> None:
    match event.interaction:
        case CommandInteraction() as asked:
            await answer_command(asked)
        case ComponentInteraction(custom_id="press") as press:
            await press.create_initial_response(
                ResponseType.MESSAGE_UPDATE,
                f"Pressed by {press.user.display_name}",
                component=buttons(),
            )
        case ComponentInteraction() as press:
            row = bot.rest.build_modal_action_row().add_text_input("words", "Words")
            await press.create_modal_response("Your bid", "bid", component=row)
        case ModalInteraction() as form:
            words = form.components[0].components[0].value
            await form.create_initial_response(ResponseType.MESSAGE_UPDATE, f"Form: {words}")


async def answer_command(interaction: CommandInteraction) -> None:
    match interaction.command_name:
        case "hello":
            application = await bot.rest.fetch_application()
            (emoji,) = await bot.rest.fetch_application_emojis(application)
            await interaction.create_initial_response(
                ResponseType.MESSAGE_CREATE,
                f"Hello {interaction.options[0].value} {emoji.mention}",
                component=buttons(),
            )
        case "look":
            member = interaction.resolved.members[interaction.options[0].value]
            await interaction.create_initial_response(
                ResponseType.MESSAGE_CREATE,
                f"{interaction.member.display_name} looks at {member.display_name}",
                flags=hikari.MessageFlag.EPHEMERAL,
            )
        case "file":
            await interaction.create_initial_response(
                ResponseType.MESSAGE_CREATE, "first", attachment=hikari.Bytes(PIXEL, "a.png")
            )
            await interaction.execute("further", attachment=hikari.Bytes(PIXEL, "b.png"))
        case "think":
            await interaction.create_initial_response(ResponseType.DEFERRED_MESSAGE_CREATE)
            await interaction.edit_initial_response("thought")


bot.run(check_for_updates=False)
