import { chmodSync, readSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findFilter } from '../../../src/sandbox/adapters/find-bubblewrap.ts'
import { seccompFilter } from '../../../src/sandbox/filter/seccomp.ts'
import { openSandbox } from '../../../src/sandbox/open-sandbox.ts'
import { findOnPath } from '../../../src/sandbox/tools/on-path.ts'
import { needs } from '../../helpers/house/needs.ts'
import { keepEnvironment } from '../../helpers/machine/environment.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

const bwrap = findOnPath('bwrap')

/** Creates a bubblewrap that refuses `--seccomp` with a message, and otherwise runs the real one. */
function withoutFilters(words: string): string {
  const folder = tempFolder()
  chmodSync(folder, 0o755) // it runs as another user where we are root
  const path = join(folder, 'bwrap')
  const script = `#!/bin/sh\nfor one; do if [ "$one" = --seccomp ]; then echo "${words}" >&2; exit 1; fi; done\nexec ${bwrap} "$@"\n`
  writeFileSync(path, script, { mode: 0o755 })
  return path
}

it('a processor without a list of calls gets no filter, and the level says why', async () => {
  expect(await findFilter('bwrap', 'riscv64')).toEqual({
    unfiltered: 'bench has no system call filter for riscv64 processors',
  })
})

it.each(['bwrap: Unknown option --seccomp', 'bwrap: prctl(PR_SET_SECCOMP): Invalid argument'])(
  'a bubblewrap that prints %j gets no filter, and the reason is reported',
  async (words) => {
    expect(await findFilter(withoutFilters(words), 'x64')).toEqual({
      unfiltered: `bubblewrap cannot filter system calls (${words})`,
    })
  },
)

needs('bwrap').it('the filter is read from the start each time it is opened', async () => {
  const found = await findFilter(bwrap ?? '', 'x64')
  if ('unfiltered' in found) throw new Error(found.unfiltered)
  for (let time = 0; time < 2; time++) {
    const bytes = Buffer.alloc(8192)
    const length = readSync(found.openFilter(), bytes)
    expect(bytes.subarray(0, length).equals(seccompFilter('x64'))).toBe(true)
  }
})

needs('bwrap').it('a sandbox without a filter still opens, below full, and says why', async () => {
  onTestFinished(keepEnvironment())
  const wrapper = withoutFilters('bwrap: Unknown option --seccomp')
  process.env.PATH = `${join(wrapper, '..')}${delimiter}${process.env.PATH}`
  const { level, findings, remedy } = await openSandbox('bubblewrap')
  const failed = findings.flatMap(({ attack, held }) => (held ? [] : [attack]))
  expect(level).toBe('partial')
  expect(failed).toEqual(expect.arrayContaining(['keyring', 'io-uring']))
  expect(failed).not.toContain('shared-memory')
  expect(remedy).toContain('cannot filter system calls (bwrap: Unknown option --seccomp)')
})
