"""torch.compiler: nothing is compiled here."""


def is_compiling():
    return False


is_dynamo_compiling = is_exporting = is_compiling
