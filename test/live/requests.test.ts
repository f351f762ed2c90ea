import { expect, it } from 'vitest'
import { sentRequests } from '../helpers/agents/sent-requests.ts'
import { asksOf } from '../helpers/runs/cli.ts'
import type { LogEntry } from '../model-server/log.ts'
import { programs } from './clients.ts'
import { liveArgs, liveSetting, patience, runLive } from './live-run.ts'

type Json = Readonly<Record<string, unknown>>
const listOf = (value: unknown) => (Array.isArray(value) ? (value as Json[]) : [])

/** The types of tools in a request, wherever it offers them. */
function toolTypes({ tools, input }: Json): string[] {
  const all = [...listOf(tools), ...listOf(input).flatMap((item) => listOf(item.tools))]
  return all.flatMap((tool) => {
    const named = typeof tool.type === 'string' ? [tool.type] : undefined
    const own = named ?? ('functionDeclarations' in tool || !('name' in tool) ? Object.keys(tool) : ['none'])
    return [...own, ...toolTypes({ tools: tool.tools })]
  })
}

/** What a program sent that is not on its list. */
function newIn(agent: string, log: readonly LogEntry[]): string[] {
  const [kind = '', model = ''] = agent.split(':')
  const known = sentRequests[kind]
  const found = log.flatMap(({ method, path, body }) => [
    ...[`${method} ${path.replace(model, 'M')}`].filter((line) => !known?.lines.includes(line)),
    ...Object.keys(body as Json).flatMap((field) =>
      known?.fields.includes(field) ? [] : [`field ${field}`],
    ),
    ...toolTypes(body as Json).flatMap((type) => (known?.tools.includes(type) ? [] : [`tool ${type}`])),
  ])
  return [...new Set(found)].map((what) => `${kind} sends ${what}`)
}

it.each(programs)(
  '$agent sends nothing that is not on the list of what it sends, and nothing is refused',
  async ({ agent, shell }) => {
    const setting = await liveSetting(({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? { text: 'It is done.' }
        : { text: 'I work.', toolCalls: [shell('echo hello; sleep 1')] },
    )
    await runLive(setting, liveArgs(setting.folder, agent, 'ferry-morning', 'baseline'))
    const log = setting.server.log.filter(({ number }) => number > 0)
    expect(log.length).toBeGreaterThan(1)
    expect(newIn(agent, log)).toEqual([])
    expect(asksOf(setting.folder).map(({ refused }) => refused)).toEqual([undefined])
  },
  patience,
)
