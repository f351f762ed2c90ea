import { readFileSync } from 'node:fs'
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import { expect, it } from 'vitest'
import { attributeTypes } from '../../src/exports/semantic-conventions.ts'
import { exported, published } from '../helpers/exports/export-run.ts'
import { richRun, richSteps } from '../helpers/exports/rich-run.ts'

type Value = {
  stringValue?: string
  intValue?: number
  doubleValue?: number
  boolValue?: boolean
  arrayValue?: { values: Value[] }
}
type Pair = { key: string; value: Value }
interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Pair[]
  events: { name: string; timeUnixNano: string; attributes: Pair[] }[]
  status: { code: number }
}
interface Request {
  resourceSpans: [
    {
      resource: { attributes: Pair[] }
      scopeSpans: [{ scope: { name: string; version: string; attributes: Pair[] }; spans: Span[] }]
    },
  ]
}

const spansOf = ({ resourceSpans: [{ scopeSpans }] }: Request): Span[] => scopeSpans[0].spans

async function requestsOf(run: string, content = false): Promise<Request[]> {
  const { out } = await exported(run, { format: 'otlp', content })
  return readFileSync(out, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const plain = (value: Value): unknown =>
  value.arrayValue ? value.arrayValue.values.map(plain) : Object.values(value)[0]
const attributesOf = (pairs: readonly Pair[]) =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, plain(value)]))
const time = (nanoseconds: string): [number, number] => [
  Number(nanoseconds.slice(0, -9)),
  Number(nanoseconds.slice(-9)),
]

/** What the SDK writes of the same spans. */
function bySdk(request: Request): Request {
  const [{ resource, scopeSpans }] = request.resourceSpans
  const { scope } = scopeSpans[0]
  const shared = {
    resource: { attributes: attributesOf(resource.attributes) },
    instrumentationScope: { ...scope, attributes: attributesOf(scope.attributes) },
    ...{ droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0, links: [], ended: true },
  }
  const spans = spansOf(request).map((span) => ({
    ...shared,
    ...{
      name: span.name,
      kind: span.kind - 1,
      status: span.status,
      attributes: attributesOf(span.attributes),
    },
    spanContext: () => ({ traceId: span.traceId, spanId: span.spanId, traceFlags: 1 }),
    ...(span.parentSpanId && {
      parentSpanContext: { traceId: span.traceId, spanId: span.parentSpanId, traceFlags: 1 },
    }),
    ...{ startTime: time(span.startTimeUnixNano), endTime: time(span.endTimeUnixNano) },
    events: span.events.map(({ name, timeUnixNano, attributes }) => ({
      ...{ name, time: time(timeUnixNano), attributes: attributesOf(attributes), droppedAttributesCount: 0 },
    })),
  }))
  type Spans = Parameters<typeof JsonTraceSerializer.serializeRequest>[0]
  const bytes = JsonTraceSerializer.serializeRequest(spans as unknown as Spans)
  return JSON.parse(new TextDecoder().decode(bytes))
}

/** The SDK tells whole doubles from integers by their value, so it cannot keep the type of a score of 1. */
const withoutWholeDoubles = (request: Request): Request =>
  JSON.parse(JSON.stringify(request), (key, value) =>
    key === 'value' && Number.isInteger(value?.doubleValue) ? { intValue: value.doubleValue } : value,
  )

it.each(['a run with stages and graphs', 'a run with tools'])(
  'writes the spans of %s as the SDK does',
  async (kind) => {
    const requests = await requestsOf(kind.endsWith('tools') ? richRun() : published, true)
    for (const request of requests) expect(withoutWholeDoubles(request)).toEqual(bySdk(request))
  },
)

it('makes one trace of a trial, whose spans have a parent in it and lie in its time', async () => {
  for (const run of [richRun(), published]) {
    const requests = await requestsOf(run)
    expect(new Set(requests.map((request) => spansOf(request)[0]?.traceId)).size).toBe(requests.length)
    for (const request of requests) {
      const [root, ...others] = spansOf(request)
      const ids = new Set(spansOf(request).map(({ spanId }) => spanId))
      expect(ids.size).toBe(others.length + 1)
      expect(root?.parentSpanId).toBeUndefined()
      for (const { traceId, parentSpanId, startTimeUnixNano: start, endTimeUnixNano: end } of others) {
        expect(traceId).toBe(root?.traceId)
        expect(ids).toContain(parentSpanId)
        expect(BigInt(start) >= BigInt(root?.startTimeUnixNano as string)).toBe(true)
        expect(BigInt(end) >= BigInt(start)).toBe(true)
      }
      expect(
        [...ids, root?.traceId].every((id) => /^(?!0+$)([0-9a-f]{16}|[0-9a-f]{32})$/.test(id as string)),
      ).toBe(true)
    }
  }
})

it('puts a call below the stage or the step in which it is, and a tool below the call that called it', async () => {
  const [request] = await requestsOf(richRun())
  const spans = spansOf(request as Request)
  const nameOf = new Map(spans.map(({ spanId, name }) => [spanId, name]))
  const told = spans.map(({ name, parentSpanId = '' }) => `${name} < ${nameOf.get(parentSpanId) ?? 'none'}`)
  expect(told).toMatchSnapshot()
  const stages = spansOf(
    (await requestsOf(published)).find((one) =>
      spansOf(one).some(({ name }) => name.startsWith('stage')),
    ) as Request,
  )
  const stage = stages.find(({ name }) => name === 'stage plan')
  expect(stages.filter(({ parentSpanId }) => parentSpanId === stage?.spanId).map(({ name }) => name)).toEqual(
    ['chat'],
  )
})

it('says of a call what the conventions have names for, and leaves out what is unknown', async () => {
  const [request] = await requestsOf(richRun())
  const calls = spansOf(request as Request).filter(({ name }) =>
    /^(chat|invoke_agent|execute_tool)/.test(name),
  )
  expect(
    calls.map(({ name, attributes, status }) => ({
      name,
      ...attributesOf(attributes),
      error: status.code === 2,
    })),
  ).toMatchSnapshot()
})

it('holds texts with --content alone', async () => {
  const run = richRun()
  expect(JSON.stringify(await requestsOf(run))).not.toMatch(/Secret|look|You solve|down/)
  const text = JSON.stringify(await requestsOf(run, true))
  for (const word of ['prompt?', 'reply', 'result', 'output', 'answer', 'reason'])
    expect(text).toContain(`Secret ${word}`)
  // What went wrong is a message of a server, which may quote anything.
  expect(text).not.toContain('Secret failure')
  const uncaptured = JSON.stringify(await requestsOf(richRun({ capture: { prompts: false } }), true))
  expect(uncaptured).not.toContain('Secret prompt')
  expect(uncaptured).not.toMatch(/You solve|Secret result/)
  expect(uncaptured).toContain('Secret reply')
})

it('is the same each time, and other ids have the trials of another run', async () => {
  const run = richRun()
  expect(await requestsOf(run)).toEqual(await requestsOf(run))
  const idsOf = async (folder: string) =>
    (await requestsOf(folder)).map((request) => spansOf(request)[0]?.traceId)
  expect(await idsOf(richRun({ id: 'another' }))).not.toContain((await idsOf(run))[0])
})

it('gives each attribute the type of its name, whatever its value', async () => {
  const kinds = {
    string: 'stringValue',
    'string[]': 'arrayValue',
    int: 'intValue',
    double: 'doubleValue',
    boolean: 'boolValue',
  }
  const all = [...(await requestsOf(richRun(), true)), ...(await requestsOf(published, true))].flatMap(
    spansOf,
  )
  const pairs = all.flatMap(({ attributes, events }) => [
    ...attributes,
    ...events.flatMap((event) => event.attributes),
  ])
  for (const { key, value } of pairs)
    expect(Object.keys(value)).toEqual([kinds[attributeTypes[key as keyof typeof attributeTypes]]])
  expect(richSteps.length).toBeGreaterThan(0)
})
