import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestFunction, type TestOptions } from 'vitest'
import { unprivilegedUser } from '../../../src/sandbox/adapters/find-bubblewrap.ts'
import { hasFilter } from '../../../src/sandbox/filter/seccomp.ts'
import { postgresPrograms } from '../servers/postgres.ts'

const runs = (file: string, ...args: string[]): boolean =>
  spawnSync(file, args, { stdio: 'ignore', timeout: 20_000 }).status === 0
const isRoot = () => process.getuid?.() === 0

/** Bubblewrap is of use where it can make its namespaces, as the user that the sandbox takes, and where prlimit is. */
const bubblewrapStarts = () => {
  const command = ['bwrap', '--unshare-all', '--unshare-user', '--ro-bind', '/', '/', '/bin/sh', '-c', ':']
  const user = `${unprivilegedUser}`
  const other = ['setpriv', '--reuid', user, '--regid', user, '--clear-groups', '--']
  const [file = '', ...args] = isRoot() ? [...other, ...command] : command
  return runs('prlimit', '--version') && runs(file, ...args)
}

const isShared = (path: string) => {
  const folder = process.env.BENCH_SHARED_SUITES ?? ''
  return folder !== '' && existsSync(join(folder, path))
}

/** Programs that some tests start, each with the way to see that it is here and of use. */
const programs = {
  bwrap: bubblewrapStarts,
  bash: () => runs('bash', '-c', ':'),
  zsh: () => runs('zsh', '-f', '-c', ':'),
  perl: () => runs('perl', '-e', '1'),
  python3: () => runs('python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 8))'),
  prlimit: () => runs('prlimit', '--version'),
  setsid: () => runs('setsid', '--version'),
  setpriv: () => runs('setpriv', '--version'),
  unshare: () => runs('unshare', '--version'),
  nsenter: () => runs('nsenter', '--version'),
  // The one of util-linux: another has no such options.
  script: () => runs('script', '--version'),
  pdflatex: () => runs('pdflatex', '--version') && runs('kpsewhich', 'booktabs.sty'),
  'rsvg-convert': () => runs('rsvg-convert', '--version'),
  openssl: () => runs('openssl', 'version'),
  postgres: () => postgresPrograms() !== undefined,
  slurm: () => runs('slurmctld', '-V') && runs('munged', '--version'),
} as const

/** Properties of the machine or the user that no installed program changes. */
const conditions = {
  Linux: () => process.platform === 'linux',
  'a system with symbolic links': () => process.platform !== 'win32',
  root: isRoot,
  'an x64 processor': () => process.arch === 'x64',
  'a processor with a filter of system calls': () => hasFilter(process.arch),
  'a checkout that other users may read': () => {
    const other = isRoot() ? { uid: unprivilegedUser, gid: unprivilegedUser } : {}
    const look = ['-e', 'fs.accessSync(process.argv[1])', import.meta.filename]
    return spawnSync(process.execPath, look, { ...other, stdio: 'ignore' }).status === 0
  },
  mount: () => isRoot() && runs('unshare', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()),
  'NumPy for python3': () => runs('python3', '-c', 'import numpy'),
  'pytest for python3': () => runs('python3', '-m', 'pytest', '--version'),
  'HumanEval in BENCH_SHARED_SUITES': () => isShared('humaneval/HumanEval.jsonl'),
  'HumanEval-X in BENCH_SHARED_SUITES': () => isShared('humaneval-js/humaneval_js.jsonl'),
  'MBPP in BENCH_SHARED_SUITES': () => isShared('mbpp/mbpp.jsonl'),
  'QuixBugs in BENCH_SHARED_SUITES': () => isShared('quixbugs/json_testcases'),
  'recorded replies in BENCH_RECORDED_REPLIES': () =>
    existsSync(join(process.env.BENCH_RECORDED_REPLIES ?? '', 'math.tasks.jsonl.gz')),
  'a track of Exercism in BENCH_EXERCISM': () =>
    existsSync(join(process.env.BENCH_EXERCISM ?? '', 'config.json')) &&
    (process.env.BENCH_EXERCISM ?? '') !== '',
} as const

type Program = keyof typeof programs
export type Need = Program | keyof typeof conditions

const known = new Map<Need, boolean>()
const isMet = (need: Need): boolean => {
  const met = known.get(need) ?? { ...programs, ...conditions }[need]()
  known.set(need, met)
  return met
}

interface Register<Body> {
  (name: string, body: Body): void
  (name: string, options: TestOptions, body: Body): void
}
interface Registers {
  it: Register<TestFunction> & Pick<typeof it, 'each'>
  describe: Register<() => void> & Pick<typeof describe, 'each'>
}

/** The reason in the name of a skipped test; the last line of a test run counts skipped tests by it. */
export const needsNote = (needed: readonly string[]): string => `(needs ${needed.join(' and ')})`

/**
 * `it` and `describe` for tests that need something which not every machine has. Where that is missing, they are skipped and
 * their names say what they need. With BENCH_ALL_TOOLS set, a missing program is an error.
 */
export function needs(...needed: Need[]): Registers {
  const missing = needed.filter((need) => !isMet(need))
  if (missing.length === 0) return { it, describe }
  // Root that may not mount works in a container that is closed further than this project is tested in.
  const absent = missing.filter((need) => need in programs || (need === 'mount' && isRoot()))
  if (process.env.BENCH_ALL_TOOLS && absent.length > 0)
    throw new Error(
      `BENCH_ALL_TOOLS is set, and ${absent.join(' and ')} cannot be used here. Install what is missing, or unset BENCH_ALL_TOOLS.`,
    )
  return {
    it: skipping(it.skip, missing) as Registers['it'],
    describe: skipping(describe.skip, missing) as Registers['describe'],
  }
}

/** Functions that register one skipped test, or one for each item of a list. */
function skipping(
  register: Pick<typeof it, 'each'> | Pick<typeof describe, 'each'>,
  missing: readonly Need[],
) {
  const each = (register.each as (...cases: unknown[]) => unknown).bind(register)
  return Object.assign((name: string, ...rest: unknown[]) => leftOut(register, name, missing, rest), {
    each:
      (...cases: unknown[]) =>
      (name: string, ...rest: unknown[]) =>
        leftOut(each(...cases), name, missing, rest),
  })
}

/** Passes on the arguments after the name unchanged, since overloads cannot be forwarded. */
function leftOut(register: unknown, name: string, missing: readonly Need[], rest: unknown[]): void {
  const call = register as (name: string, ...rest: unknown[]) => void
  call(`${name} ${needsNote(missing)}`, ...rest)
}
