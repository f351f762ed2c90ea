import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../runs/cli.ts'
import { type AgentName, agents } from './play-cell.ts'

/** What the page says of an agent that meets a fault. */
export interface Wanted {
  agent: AgentName
  /** `none` if the trial goes on with the reply. */
  reason: string
  /** The trial's outcome. */
  trial: string
  again: boolean
  tokens: string
  /** The program itself repeats requests. */
  repeats: boolean
}

/** A row: the fault, and the agents that can show it. */
export interface Row {
  fault: string
  wanted: readonly Wanted[]
}

const page = readFileSync(join(root, 'docs/guides/fault-table.md'), 'utf8')
const outcomes = ['completed', 'failed', 'limited', 'error']
const names = Object.keys(agents) as AgentName[]

/** Returns the rows of the table of docs/guides/fault-table.md. */
export function readFaultTable(): Row[] {
  const [, table = ''] = page.split('\n## Table\n')
  const [head = [], , ...rows] = (table.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  const columns = ['fault', ...names, 'trial', 'again', 'tokens']
  if (head.join() !== columns.join()) throw new Error(`the table has the columns ${head.join(', ')}`)
  return rows.map((cells) => {
    const [trial = '', again = '', tokens = ''] = cells.slice(-3)
    const others = [trial, again, tokens]
    return {
      fault: cells[0] ?? '',
      wanted: names.flatMap((agent, i) => {
        const cell = cells[i + 1] ?? ''
        return cell === '—' ? [] : [wantedOf(agent, cell, others)]
      }),
    }
  })
}

/** Reads a cell: a reason, and after commas the words in which it differs from the last three columns. */
function wantedOf(agent: AgentName, cell: string, others: readonly string[]): Wanted {
  const [reason = '', ...own] = cell.split(/, */).map(withoutMarks)
  const repeats = own.includes('repeats')
  const words = others.map(withoutMarks)
  for (const word of own.filter((one) => one !== 'repeats'))
    words[outcomes.includes(word) ? 0 : ['yes', 'no'].includes(word) ? 1 : 2] = word
  const [trial = '', again, tokens = ''] = words
  return { agent, reason: reason === 'ok' ? 'none' : reason, trial, again: again === 'yes', tokens, repeats }
}

const withoutMarks = (text: string) => text.replaceAll('`', '')
