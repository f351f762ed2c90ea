import { join } from 'node:path'
import { execa } from 'execa'
import { expect, inject } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, program, recordsOf } from '../../helpers/runs/cli.ts'

/** The command line under a limit of open files. */
const benchUnder = (limit: number, args: readonly string[], cwd: string) =>
  execa('sh', ['-c', `ulimit -n ${limit}; exec "$@"`, 'sh', process.execPath, program, ...args], {
    cwd,
    env: { ORCHESTRATION_BENCH_CACHE: inject('cache'), BENCH_DEBUG: undefined },
    stdin: 'ignore',
    reject: false,
  })

const run = ['run', '--tasks', 'duration-text', '--methods', 'baseline', '--quiet', '--out', 'r']

needs('prlimit').it('a run that may open few files gives its programs no more, and grades them', async () => {
  const cwd = tempFolder()
  const { exitCode, stderr } = await benchUnder(64, [...run, '--parallel', '1'], cwd)
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'run folder: r' })
})

// Without a sandbox fewer files are open, and the limit is not reached.
needs('bwrap').it(
  'a run that opens too many files at once names the limit and how to raise it, and can be resumed',
  async () => {
    const cwd = tempFolder()
    const { stderr } = await benchUnder(48, [...run, '--epochs', '12', '--parallel', '12'], cwd)
    expect(stderr).not.toMatch(/Internal error/)
    expect(stderr).toMatch(/^the first error: .*48 \(`ulimit -n`\)\. Raise that limit/m)
    const reasons = recordsOf(join(cwd, 'r')).flatMap(({ outcome: { status, reason } }) =>
      status === 'error' ? [reason] : [],
    )
    expect(reasons.length).toBeGreaterThan(0)
    for (const reason of reasons)
      expect(reason).toContain(
        'bench has reached its limit of open files: 48 (`ulimit -n`). Raise that limit (`ulimit -n 1024`)',
      )
    expect((await bench(['run', '--resume', 'r', '--retry-errors', '--quiet'], { cwd })).code).toBe(0)
    const after = recordsOf(join(cwd, 'r'))
    expect(after.map(({ outcome }) => outcome.status)).toEqual(after.map(() => 'completed'))
  },
)
