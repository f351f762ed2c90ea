import { Transform } from 'node:stream'
import type { Wire } from '../../schema/agent/agent-program.ts'
import { isObject } from '../../text/is-object.ts'
import { objectAt, tryParseJson } from '../wire/json.ts'
import { type RequestBody, withField } from './request-body.ts'

/** Returns a body for the agent's model. A stream of chat tells its tokens only if it is asked to. */
export function withModel({ json, text }: RequestBody, wire: Wire, model: string): RequestBody {
  if (wire === 'gemini' && json.model == null) return { json, text }
  const named = { json: { ...json, model }, text: withField(text, 'model', model) }
  if (wire !== 'chat' || json.stream !== true || objectAt(json, 'stream_options').include_usage === true)
    return named
  const options = { ...objectAt(json, 'stream_options'), include_usage: true }
  return {
    json: { ...named.json, stream_options: options },
    text: withField(named.text, 'stream_options', options),
    asksUsage: true,
  }
}

/** Maximum length of a line that is held to see its end; the event that tells the tokens is short. */
const longestHeld = 65_536

/**
 * Returns a stream that leaves out the event without choices which tells the tokens of a stream of chat. Only who asked for it expects it:
 * the vendors' own examples read the first choice of each event.
 */
export function leaveOutUsage(): Transform {
  let held = ''
  return new Transform({
    transform(chunk: Buffer, _, done) {
      // Latin-1 maps every byte to one character, so text in any encoding passes unchanged.
      const lines = (held + chunk.toString('latin1')).split(/(?<=\n)/)
      const last = lines.at(-1) ?? ''
      held = last.endsWith('\n') || last.length > longestHeld ? '' : (lines.pop() ?? '')
      done(null, Buffer.from(lines.filter((line) => !isUsageAlone(line)).join(''), 'latin1'))
    },
    flush: (done) => done(null, Buffer.from(isUsageAlone(held) ? '' : held, 'latin1')),
  })
}

function isUsageAlone(line: string): boolean {
  if (!line.startsWith('data:') || !line.includes('"usage"')) return false
  const event = tryParseJson(line.slice('data:'.length))
  return (
    isObject(event) && isObject(event.usage) && Array.isArray(event.choices) && event.choices.length === 0
  )
}
