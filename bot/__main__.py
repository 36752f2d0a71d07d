"""`python -m bot` and the console command `bluffhouse`."""


def main() -> None:
    """Run the command line."""
    from bot.cli import app

    app()


if __name__ == "__main__":
    main()
