"""How cards and bars are drawn: from plain values to PNG, with Pillow."""
