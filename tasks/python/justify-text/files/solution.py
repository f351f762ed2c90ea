def justify(text, width):
    """Lines of at most `width` characters, stretched to that width but for the last one of each paragraph."""
