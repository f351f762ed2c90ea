/** A function to write in Python, with an example: as it is given, right, and wrong. */
export const stub = 'def twice(x):\n    """Twice x.\n    >>> twice(2)\n    4\n    """\n'
export const right = `${stub}    return x * 2\n`
export const wrong = `${stub}    return x\n`

/** What its tasks share. */
export const spec = {
  output: 'function',
  language: 'python',
  entryPoint: 'twice',
  editable: ['solution.py'],
  requires: ['python3'],
}
