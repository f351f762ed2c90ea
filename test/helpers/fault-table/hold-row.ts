import pMap from 'p-map'
import { expect } from 'vitest'
import { faults } from '../../model-server/faults.ts'
import { type AgentName, type CellEnd, playCell, wireOf } from './play-cell.ts'
import { type Row, readFaultTable, type Wanted } from './read-table.ts'

/** The fault for which no server is there. */
const dead = 'dead server'
/** The fault that the ask's own limit ends. */
const hanging = 'hanging server'

interface Playing {
  sandbox: 'none' | 'bubblewrap'
  /** Longest attempt, and the longest where the server hangs; ms. */
  timeoutMs: number
  hangMs: number
  /** Whether every form of a fault is played, or the first one alone. */
  everyForm: boolean
  /** Cells at a time. */
  parallel: number
}

/** The rows in which one of these agents can show the fault. */
export const rowsOf = (agents: readonly AgentName[]): Row[] =>
  readFaultTable()
    .map(({ fault, wanted }) => ({ fault, wanted: wanted.filter(({ agent }) => agents.includes(agent)) }))
    .filter(({ wanted }) => wanted.length > 0)

/** Number of the forms in which the server shows a fault to an agent. */
export const formsOf = (fault: string, agent: AgentName): number =>
  fault === dead ? 1 : (faults[fault]?.[wireOf(agent)]?.length ?? 0)

/** Plays the cells of a row, and checks that each ends as the page says. */
export async function holdRow({ fault, wanted }: Row, playing: Playing): Promise<void> {
  const { sandbox, timeoutMs, hangMs, everyForm, parallel } = playing
  const cells = wanted.flatMap((cell) =>
    [...Array(everyForm ? formsOf(fault, cell.agent) : 1).keys()].map((form) => ({ ...cell, form })),
  )
  const ends = await pMap(
    cells,
    ({ agent, form }) =>
      playCell({ agent, fault, form, sandbox, timeoutMs: fault === hanging ? hangMs : timeoutMs }),
    { concurrency: parallel },
  )
  const got = cells.map((cell, i) => shown(cell, ends[i] as CellEnd))
  const expected = cells.map((cell) => asWanted(fault, cell))
  expect(got, ends.map(({ message }) => message).join('\n')).toEqual(expected)
}

type Played = Wanted & { form: number }

/** The end of a cell in the words of the page. */
function shown(cell: Played, { reason, trial, attempts, requests, tokens }: CellEnd): string {
  const isMore = cell.repeats && requests >= attempts
  return line(cell, [reason, trial, attempts, isMore ? 'any' : requests, tokens])
}

function asWanted(fault: string, cell: Played): string {
  const { reason, trial, again, tokens, repeats } = cell
  const attempts = again ? 2 : 1
  return line(cell, [reason, trial, attempts, repeats ? 'any' : fault === dead ? 0 : attempts, tokens])
}

const line = (
  { agent, form }: Played,
  [reason, trial, attempts, requests, tokens]: readonly (string | number | undefined)[],
) =>
  `${agent}, form ${form}: ${reason}, ${trial}, ${attempts} attempts, ${requests} requests, tokens ${tokens}`
