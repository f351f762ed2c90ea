import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { Step } from '../../schema/ledger/step.ts'
import { deliveredFiles } from './delivered-files.ts'

/** A file that a trial handed in, and its text in the beginning. Null: there is no file. Undefined: its text is not stored. */
export interface HandedFile {
  path: string
  before: string | null | undefined
  after: string | null | undefined
}

/** What a trial handed in. */
export interface HandedIn {
  /** Its answer; null: none. Undefined: the text is not stored. */
  answer: string | null | undefined
  /** Its changed files; undefined: the steps do not tell them. Of a trial with an answer there are none. */
  files: HandedFile[] | undefined
}

/** Returns what a trial handed in. `contentOf` returns a text by its SHA-256; undefined: not stored. */
export function handedIn(
  record: Pick<TrialRecord, 'answer' | 'delivered'>,
  steps: readonly Step[],
  contentOf: (hash: string) => string | undefined,
): HandedIn {
  const { answer } = record
  if (answer !== undefined) {
    const hash = /^blob:([0-9a-f]{64})$/.exec(answer)?.[1]
    return { answer: hash === undefined ? answer : contentOf(hash), files: [] }
  }
  const textOf = (hash: string | null) => (hash === null ? null : contentOf(hash))
  return {
    answer: null,
    files: deliveredFiles(record, steps)?.map(({ path, before, after }) => ({
      ...{ path, before: textOf(before), after: textOf(after) },
    })),
  }
}

/** A file as two trials handed it in; a trial that did not change it has the text of the beginning. */
export interface FilePair {
  path: string
  a: HandedFile['after']
  b: HandedFile['after']
  /** Which of the two changed the file. */
  changedBy: 'a' | 'b' | 'both'
}

/** Returns the files that either of two trials changed, by path; undefined if those of one are unknown. */
export function filePairs(a: HandedIn, b: HandedIn): FilePair[] | undefined {
  if (a.files === undefined || b.files === undefined) return undefined
  const ofA = new Map(a.files.map((file) => [file.path, file]))
  const ofB = new Map(b.files.map((file) => [file.path, file]))
  return [...new Set([...ofA.keys(), ...ofB.keys()])].sort().map((path) => {
    const [x, y] = [ofA.get(path), ofB.get(path)]
    return {
      path,
      a: x ? x.after : y?.before,
      b: y ? y.after : x?.before,
      changedBy: x && y ? 'both' : x ? 'a' : 'b',
    }
  })
}
