from tests.people import snug

__all__ = ["snug"]
