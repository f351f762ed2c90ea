import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packageRoot } from '../../base/package-root.ts'
import { writeAtomic } from '../../base/write-atomic.ts'
import { counted } from '../../reports/words/numbers.ts'
import { findTool } from '../../sandbox/tools/tools.ts'
import { Verdict, type VerdictsBasis, VerdictsHeader, verdictsFormat } from '../../schema/ledger/verdict.ts'
import { readLines } from '../../suites/files/read-lines.ts'
import { digest, sha256 } from '../../text/canonical-json.ts'
import { UserError } from '../../text/errors.ts'
import { inWords } from '../../text/issue-text.ts'

/** A file of verdicts as it was read. */
export interface VerdictFile {
  /** SHA-256 of the file. */
  digest: string
  basis: VerdictsBasis
  /** By `verdictName`. */
  verdicts: Map<string, Verdict>
}

/** Returns the name of a verdict among all of a file. */
export const verdictName = ({ kind, key }: Pick<Verdict, 'kind' | 'key'>): string => `${kind} ${key}`

/** Reads a file of verdicts, plain or gzipped, line by line. Throws `UserError` with the line of what is wrong. */
export async function readVerdicts(path: string): Promise<VerdictFile> {
  const verdicts = new Map<string, Verdict>()
  let header: VerdictsHeader | undefined
  for await (const { number, text } of readLines(path)) {
    if (header === undefined) header = readHeader(text, path)
    else if (text.trim() !== '') {
      const verdict = readVerdict(text, `${path}:${number}`)
      const name = verdictName(verdict)
      if (verdicts.has(name))
        throw new UserError({
          where: `${path}:${number}`,
          what: 'is a second verdict of one work',
          fix: remedy,
        })
      verdicts.set(name, verdict)
    }
  }
  if (header === undefined) throw new UserError({ where: path, what: 'is empty', fix: remedy })
  const { format: _, verdicts: count, ...basis } = header
  if (count !== verdicts.size)
    throw new UserError({
      where: path,
      what: `has ${counted(verdicts.size, 'verdict')}, but its first line says ${count}: it was cut, or changed by hand`,
      fix: remedy,
    })
  return { digest: sha256(readFileSync(path)), basis, verdicts }
}

const remedy = 'Restore it from a copy, or remove it and make it again with --update-verdicts.'

function readHeader(text: string, path: string): VerdictsHeader {
  const { data, error } = VerdictsHeader.safeParse(parsed(text), { ...inWords, jitless: true })
  if (data) return data
  const [issue] = error.issues
  const field = issue?.path.join('.') ?? ''
  throw new UserError({
    where: `${path}:1`,
    what: `is no header of a file of verdicts${field === '' ? '' : `: ${field} ${issue?.message}`}`,
    fix: 'Name a file that bench run --verdicts FILE --update-verdicts has made.',
  })
}

function readVerdict(text: string, where: string): Verdict {
  const { data, error } = Verdict.safeParse(parsed(text), { ...inWords, jitless: true })
  if (data) return data
  const [issue] = error.issues
  const field = issue?.path.join('.') ?? ''
  const what = `is no verdict${field === '' ? '' : `: ${field} ${issue?.message}`}; the file was cut, or changed by hand`
  throw new UserError({ where, what, fix: remedy })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Writes verdicts, sorted, so that equal verdicts give an equal file; gzipped if the name ends in .gz. */
export function writeVerdicts(path: string, basis: VerdictsBasis, verdicts: Iterable<Verdict>): void {
  const lines = [...verdicts]
    .toSorted((a, b) => (verdictName(a) < verdictName(b) ? -1 : 1))
    .map((verdict) => JSON.stringify(verdict))
  const header: VerdictsHeader = { format: verdictsFormat, ...basis, verdicts: lines.length }
  const text = `${[JSON.stringify(header), ...lines].join('\n')}\n`
  const bytes = path.endsWith('.gz') ? gzipSync(text, { level: 9 }) : Buffer.from(text)
  writeAtomic(path, (file) => writeFileSync(file, bytes))
}

/**
 * Returns what verdicts of this machine depend on: the programs that run tests, Node, and Python unless no task is in it. `without`: its
 * version is null then, as where there is none.
 */
export async function verdictsBasis(
  python: 'with Python' | 'without' = 'with Python',
): Promise<VerdictsBasis> {
  const [node = ''] = process.versions.node.split('.')
  const found = python === 'without' ? undefined : await findTool('python3')
  return {
    programs: programsDigest(),
    node,
    python: found?.found ? found.version.split('.').slice(0, 2).join('.') : null,
  }
}

/** Of the sources, which every package has, so that a build changes nothing. */
function programsDigest(): string {
  const folder = join(packageRoot(), 'src/graders/harness')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(mjs|py)$/.test(path))
    .map((path) => [path.replaceAll('\\', '/'), sha256(readFileSync(join(folder, path)))])
  return digest(Object.fromEntries(files))
}

/** Returns how a basis differs from this machine's, in plain words; undefined where they are equal. */
export function basisDifference(theirs: VerdictsBasis, ours: VerdictsBasis): string | undefined {
  if (theirs.programs !== ours.programs) return 'was made by other programs for tests than this bench has'
  if (theirs.node !== ours.node) return `was made by Node ${theirs.node}, and this is Node ${ours.node}`
  if (theirs.python === ours.python) return undefined
  return `was made by ${pythonText(theirs)}, and this machine has ${pythonText(ours)}`
}

const pythonText = ({ python }: VerdictsBasis) => (python === null ? 'no Python' : `Python ${python}`)
