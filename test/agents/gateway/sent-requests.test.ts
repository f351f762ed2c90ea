import { expect, it } from 'vitest'
import { cliKinds } from '../../../src/agents/cli/kinds.ts'
import { judgeBody } from '../../../src/agents/gateway/judge-body.ts'
import { pathAsked } from '../../../src/agents/gateway/wires.ts'
import type { Wire } from '../../../src/schema/agent/agent-program.ts'
import { gatewayRules } from '../../helpers/agents/gateway-rules.ts'
import { sentRequests } from '../../helpers/agents/sent-requests.ts'
import { tableOf } from '../../helpers/house/tables.ts'

const values: Readonly<Record<string, unknown>> = tableOf(import.meta.url, 'values')

/** A tool of a type, as its wire writes it. */
const toolOf = (type: string, wire: Wire) => {
  if (wire === 'gemini') return { [type]: [] }
  if (type === 'none') return { name: 'Bash', input_schema: {} }
  if (wire === 'chat') return { type, function: { name: 'f', parameters: {} } }
  return { type, name: 'f', ...(type === 'namespace' && { tools: [{ type: 'function', name: 'g' }] }) }
}

it.each(Object.entries(sentRequests))(
  'what %s sends passes the gateway',
  (name, { wire, lines, fields, tools }) => {
    const kind = cliKinds.find((one) => one.name === name)
    const own = kind?.baseUrl?.endsWith('/v1') && wire !== 'messages' ? '/v1' : ''
    expect(kind?.wires).toEqual([wire])
    const offered = tools.map((type) => toolOf(type, wire))
    const body = Object.fromEntries(
      fields.map((field) => [field, field === 'tools' ? offered : values[field]]),
    )
    for (const line of lines) {
      const asked = pathAsked(line.replace('POST ', ''), own, [wire])
      if ('problem' in asked) throw new Error(asked.problem)
      expect(judgeBody(asked, body, gatewayRules(['M']))).toEqual({ model: 'M', tools: [] })
    }
  },
)

it('tools inside of items of the input pass, as newer models of codex-cli get them', () => {
  const tools = [{ type: 'namespace', tools: [{ type: 'custom' }, { type: 'function' }] }]
  const body = { model: 'M', input: [{ type: 'additional_tools', role: 'developer', tools }] }
  expect(judgeBody({ wire: 'responses' }, body, gatewayRules(['M']))).toEqual({ model: 'M', tools: [] })
})

it('a kind with short names of models asks the newest of that family, and no other', () => {
  const kindOf = (name: string) => cliKinds.find((kind) => kind.name === name)
  const claude = kindOf('claude-cli')?.isSameModel
  expect(claude?.('sonnet', 'claude-sonnet-5-5')).toBe(true)
  expect(claude?.('claude-sonnet-5-5[1m]', 'claude-sonnet-5-5')).toBe(true)
  expect(claude?.('sonnet', 'claude-opus-4-5')).toBe(false)
  expect(claude?.('claude-sonnet-4-5', 'claude-sonnet-5-5')).toBe(false)
  const gemini = kindOf('gemini-cli')?.isSameModel
  expect(gemini?.('flash', 'gemini-3-flash-preview')).toBe(true)
  expect(gemini?.('flash', 'gemini-2.5-flash-lite')).toBe(false)
})
