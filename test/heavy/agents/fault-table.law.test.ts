import { delimiter } from 'node:path'
import pMap from 'p-map'
import { expect, it } from 'vitest'
import {
  type AgentName,
  type CellEnd,
  cliAgents,
  httpAgents,
  playCell,
  wireOf,
} from '../../helpers/fault-table/play-cell.ts'
import { type Row, readFaultTable, type Wanted } from '../../helpers/fault-table/read-table.ts'
import { level } from '../../helpers/house/level.ts'
import { needs } from '../../helpers/house/needs.ts'
import { programFolder } from '../../live/clients.ts'
import { faults } from '../../model-server/faults.ts'

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
const rowsOf = (agents: readonly AgentName[]): Row[] =>
  readFaultTable()
    .map(({ fault, wanted }) => ({ fault, wanted: wanted.filter(({ agent }) => agents.includes(agent)) }))
    .filter(({ wanted }) => wanted.length > 0)

/** Number of the forms in which the server shows a fault to an agent. */
const formsOf = (fault: string, agent: AgentName): number =>
  fault === dead ? 1 : (faults[fault]?.[wireOf(agent)]?.length ?? 0)

/** Plays the cells of a row, and checks that each ends as the page says. */
async function holdRow({ fault, wanted }: Row, playing: Playing): Promise<void> {
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

/** By day agents over HTTP are played, in the night the agent CLIs. */
const isNight = level(false, true)
if (isNight) process.env.PATH = `${programFolder()}${delimiter}${process.env.PATH}`
const overHttp: Omit<Playing, 'timeoutMs'> = { sandbox: 'none', hangMs: 300, everyForm: true, parallel: 5 }
const byClis: Omit<Playing, 'timeoutMs'> = {
  ...{ sandbox: 'bubblewrap', hangMs: 30_000, everyForm: false, parallel: 2 },
}

const agents = Object.keys(httpAgents) as AgentName[]
const rows = rowsOf(agents)

it('the table has a row for every fault of the model server and for a server that is not there', () => {
  const inTable = readFaultTable().map(({ fault }) => fault)
  expect([...inTable].sort()).toEqual([...Object.keys(faults), 'dead server'].sort())
  expect(inTable.length).toBeGreaterThanOrEqual(20)
})

it('the table has a cell for every agent over HTTP whose server can show the fault', () => {
  const inTable = rows.flatMap(({ fault, wanted }) => wanted.map(({ agent }) => `${fault}, ${agent}`))
  const shown = rows.flatMap(({ fault }) =>
    agents.filter((agent) => formsOf(fault, agent) > 0).map((agent) => `${fault}, ${agent}`),
  )
  expect(inTable).toEqual(shown)
})

const playing = { timeoutMs: 60_000, ...(isNight ? byClis : overHttp) }
const { it: played } = needs(...(isNight ? (['bwrap'] as const) : []))

played.each(isNight ? rowsOf(Object.keys(cliAgents) as AgentName[]) : rows)(
  `$fault: every agent ${isNight ? 'CLI' : 'over HTTP'} ends as docs/guides/fault-table.md says`,
  { timeout: 1_800_000 },
  (row) => holdRow(row, playing),
)
