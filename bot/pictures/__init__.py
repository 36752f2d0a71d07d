"""Drawing cards and charts: plain values to PNG, with Pillow."""
