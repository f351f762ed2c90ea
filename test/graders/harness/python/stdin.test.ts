import { expect, it } from 'vitest'
import { runChecks } from '../../../../src/graders/check.ts'
import { spawnUnsandboxed } from '../../../../src/sandbox/process/spawn.ts'
import { needs } from '../../../helpers/house/needs.ts'
import { sampleTask } from '../../../helpers/runs/sample-task.ts'
import { judgeTwice, passed } from './judge-twice.ts'
import { right, spec, stub } from './twice.ts'

const reading: [where: string, source: string][] = [
  ['line by line when it is imported', `${right}import sys\nfor line in sys.stdin: print(line)\n`],
  ['as a whole', `${right}import sys\nassert sys.stdin.read() == '' and not sys.stdin.isatty()\n`],
  [
    'by its descriptor',
    `${right}import os\nassert os.read(0, 9) == b'' and open(0, closefd=False).read() == ''\n`,
  ],
  ['with input()', `${right}try: input('how many? ')\nexcept EOFError: pass\nelse: raise ValueError\n`],
  ['in the function', `import sys\ndef twice(x):\n    sys.stdin.readline()\n    return x * 2\n`],
  [
    'in another program',
    `${right}import subprocess\nassert subprocess.run(['cat'], capture_output=True).stdout == b''\n`,
  ],
  ['in its main part', `${right}if __name__ == '__main__':\n    twice(int(input()))\n`],
]

needs('python3').describe('a solution that reads standard input', () => {
  it.each(reading)('%s gets its end at once', async (_, source) => {
    expect(await judgeTwice(source, 'assert candidate(2) == 4', { timeoutMs: 5000 })).toBe(passed)
  })

  it('gets it in visible checks as well', async () => {
    const task = sampleTask({
      files: { 'solution.py': stub },
      checks: { 'examples.txt': '>>> twice(2)\n4\n' },
      spec: { ...spec, checks: { runner: 'python-doctest', expectTests: 1, timeoutMs: 5000 } },
    })
    const source = reading.map(([, text]) => text).join('\n')
    const { signal } = new AbortController()
    expect(await runChecks(task, { 'solution.py': source }, spawnUnsandboxed, signal)).toMatchObject({
      status: 'passed',
    })
  })
})
