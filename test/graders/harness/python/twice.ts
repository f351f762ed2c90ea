/** A Python function with an example: the stub, a right and a wrong solution. */
export const stub = 'def twice(x):\n    """Twice x.\n    >>> twice(2)\n    4\n    """\n'
export const right = `${stub}    return x * 2\n`
export const wrong = `${stub}    return x\n`

/** Fields that its tasks share. */
export const spec = {
  output: 'function',
  language: 'python',
  entryPoint: 'twice',
  editable: ['solution.py'],
  requires: ['python3'],
}
