import { blockFolder } from '../../loop/join/blocks.ts'
import { copyBlobs } from '../../loop/join/copy.ts'
import { sizesOf } from '../../loop/journal/lines.ts'
import { isSameQuestion } from '../../loop/record/people.ts'
import { appendPeopleLine, peoplePath, readPeopleLines } from '../../loop/record/people-file.ts'
import type { Trial } from '../../schema/ledger/trial.ts'
import type { PeopleLine, WaitsLine } from '../../schema/run/people.ts'
import { askedTrials } from '../people/questions.ts'

/** Passes on what trials ask, from their blocks to the run, and what people say, from the run to the blocks. */
export interface PeopleRelay {
  /** Looks at the run and at these blocks. Returns the blocks for which an answer came. */
  look(blocks: readonly number[]): number[]
  /** Returns the questions in these blocks whose trial has neither an answer nor a record. */
  waiting(blocks: readonly number[]): WaitsLine[]
}

/** Opens the relay of a run, in whose plan each block has `size` trials. */
export function createPeopleRelay(run: string, plan: Iterable<Trial>, size: number): PeopleRelay {
  const blockOf = createBlockFinder(plan, size)
  const read = new Map<string, { size: number; lines: PeopleLine[] }>()
  const linesOf = (folder: string): PeopleLine[] => {
    const { whole } = sizesOf(peoplePath(folder))
    const known = read.get(folder)
    if (known?.size === whole) return known.lines
    const lines = whole === 0 ? [] : readPeopleLines(folder)
    read.set(folder, { size: whole, lines })
    return lines
  }
  const tellRun = (folder: string) => {
    for (const line of linesOf(folder)) {
      if (line.type !== 'waits') continue
      if (linesOf(run).some((one) => one.type === 'waits' && isSameQuestion(one, line))) continue
      copyBlobs(folder, run)
      appendPeopleLine(run, line)
    }
  }
  return {
    look(blocks) {
      for (const block of blocks) tellRun(blockFolder(run, block))
      const answered: number[] = []
      for (const line of linesOf(run)) {
        if (line.type === 'waits') continue
        const block = blocks.find((one) => one === blockOf(line.trial))
        if (block === undefined) continue
        const folder = blockFolder(run, block)
        if (linesOf(folder).some((one) => one.type !== 'waits' && one.id === line.id)) continue
        appendPeopleLine(folder, line)
        if (line.type === 'answer') answered.push(block)
      }
      return answered
    },
    waiting: (blocks) =>
      blocks
        .map((block) => blockFolder(run, block))
        .flatMap((folder) => askedTrials(folder, linesOf(folder)))
        .flatMap(({ question, state, answer }) => (state === 'waits' && !answer ? [question] : [])),
  }
}

/** Returns a function that finds the block of a trial. People say little, so the plan is read only as far as is asked. */
function createBlockFinder(plan: Iterable<Trial>, size: number): (trial: string) => number | undefined {
  const known = new Map<string, number>()
  return (trial) => {
    if (known.size === 0) {
      let place = 0
      for (const { id } of plan) known.set(id, Math.floor(place++ / size) + 1)
    }
    return known.get(trial)
  }
}
