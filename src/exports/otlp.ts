import type { ExportedRun, ExportedTrial, Exporter } from './exported-trial.ts'
import {
  type AttributeName,
  type Attributes,
  type AttributeType,
  attributeTypes,
  conventions,
} from './semantic-conventions.ts'
import { type Span, trialSpans } from './trial-spans.ts'

/** Traces for collectors of OpenTelemetry: a request of OTLP/JSON for each trial, one a line, as its file exporters write it. */
export const otlp: Exporter = {
  summary: 'traces (OTLP/JSON), a line for each trial; or sent with --to',
  out: 'file',
  shared: {},
  begin: (run) => ({
    add: (trial) => [{ path: '', text: `${traceRequest(otlpSpans(trial, run), run)}\n` }],
    end: () => [],
  }),
}

/** Returns the spans of a trial, each as JSON of OTLP. */
export const otlpSpans = (trial: ExportedTrial, run: ExportedRun): string[] =>
  trialSpans(trial, run).map((span) => JSON.stringify(otlpSpan(span)))

/** Returns an `ExportTraceServiceRequest` as JSON, with spans that are JSON. */
export function traceRequest(spans: readonly string[], { manifest }: ExportedRun): string {
  const version = manifest.versions.bench
  const name = 'orchestration-bench'
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })
  const resource = {
    attributes: [text('service.name', name), text('service.version', version)],
    droppedAttributesCount: 0,
  }
  const scope = {
    ...{ name, version, attributes: [text('bench.conventions', conventions)], droppedAttributesCount: 0 },
  }
  return `{"resourceSpans":[{"resource":${JSON.stringify(resource)},"scopeSpans":[{"scope":${JSON.stringify(scope)},"spans":[${spans.join(',')}]}]}]}`
}

const kinds = { internal: 1, client: 3 } as const
const errorStatus = 2

/** Sampled, and it is known that the parent is of the same process. */
const flags = 0x101

/** Returns a span as the serialiser of the OpenTelemetry SDK for JavaScript writes it. */
function otlpSpan({ name, kind, startMs, endMs, attributes, events, isError, ...ids }: Span) {
  return {
    ...{ ...ids, name, kind: kinds[kind] },
    ...{ startTimeUnixNano: nanoseconds(startMs), endTimeUnixNano: nanoseconds(endMs) },
    ...{ attributes: keyValues(attributes), droppedAttributesCount: 0 },
    events: events.map((event) => ({
      ...{ name: event.name, timeUnixNano: nanoseconds(event.ms) },
      ...{ attributes: keyValues(event.attributes), droppedAttributesCount: 0 },
    })),
    ...{ droppedEventsCount: 0, status: { code: isError ? errorStatus : 0 } },
    ...{ links: [], droppedLinksCount: 0, flags },
  }
}

/** Returns a time with the precision of microseconds, which a number can hold. */
const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms * 1000)) * 1000n)

function keyValues(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined || value === null
      ? []
      : [{ key, value: anyValue(attributeTypes[key as AttributeName], value) }],
  )
}

/** A number gets the type of its name: a score of 1 stays a double, so that a store sees one type for all of them. */
function anyValue(type: AttributeType, value: string | number | boolean | readonly string[]) {
  if (type === 'string') return { stringValue: value }
  if (type === 'boolean') return { boolValue: value }
  if (type === 'double') return { doubleValue: value }
  if (type === 'int') return { intValue: Math.round(Number(value)) }
  return { arrayValue: { values: (value as readonly string[]).map((stringValue) => ({ stringValue })) } }
}
