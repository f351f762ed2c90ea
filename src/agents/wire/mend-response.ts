import { type Json, listAt, objectAt, textAt, textsOf } from './json.ts'

/**
 * Creates a function that mends an event or a whole reply of OpenAI's Responses, and returns nothing for any other. What comes only in a
 * later event (`done` of a text or item, or the response in the last event) is returned as the events that should have come before.
 */
export function createResponseMender(): (part: Json) => Json[] {
  const items = createResponseItems()
  return (part) => {
    const type = textAt(part, 'type') || textAt(part, 'object')
    const { output_index, content_index = 0, summary_index = 0 } = part
    const place = typeof output_index === 'number' ? output_index : 0
    switch (type) {
      case 'response.created':
        return [createdOf(objectAt(part, 'response'))]
      case 'response.output_item.added':
        return items.begin(objectAt(part, 'item'), place)
      case 'response.output_item.done':
        return items.end(objectAt(part, 'item'), place)
      case 'response.output_text.delta':
        return items.say(place, content_index, textAt(part, 'delta'), false)
      case 'response.output_text.done':
        return items.say(place, content_index, textAt(part, 'text'), true)
      case 'response.content_part.done': {
        const { type: kind, text } = objectAt(part, 'part')
        const isText = kind === 'output_text' && typeof text === 'string'
        return isText ? items.say(place, content_index, text, true) : []
      }
      case 'response.function_call_arguments.delta':
        return items.passArguments(place, textAt(part, 'delta'), false)
      case 'response.function_call_arguments.done':
        return items.passArguments(place, textAt(part, 'arguments'), true)
      case 'response.reasoning_summary_part.added':
      case 'response.reasoning_summary_part.done':
      case 'response.reasoning_summary_text.delta': {
        const id = textAt(part, 'item_id')
        const delta = type.endsWith('delta') && { delta: textAt(part, 'delta') }
        return items.hasThoughts(id) ? [{ type, item_id: id, summary_index, ...delta }] : []
      }
      case 'response.completed':
      case 'response.incomplete':
        return finish(objectAt(part, 'response'), type)
      case 'response': {
        const hasEnded = part.status === 'completed' || part.status === 'incomplete'
        return hasEnded ? [createdOf(part), ...finish(part, `response.${part.status}`)] : []
      }
      default:
        return []
    }
  }

  function finish(response: Json, type: string): Json[] {
    const { reason } = objectAt(response, 'incomplete_details')
    const details = typeof reason === 'string' && { incomplete_details: { reason } }
    const output = listAt(response, 'output')
    return [...items.endAll(output), { type, response: { ...details } }]
  }
}

const createdOf = (response: Json): Json => ({
  type: 'response.created',
  response: { id: '', model: '', ...textsOf(response, 'id', 'model'), created_at: 0 },
})

/** The items of one reply of OpenAI's Responses. Each function returns the events that are not yet known. */
interface ResponseItems {
  /** Begins the item at a place, unless one has begun there. */
  begin(item: Json, place: number): Json[]
  /** Adds a piece of a text, or the whole of it, to the message at a place. */
  say(place: number, part: unknown, text: string, isWhole: boolean): Json[]
  /** Adds a piece of the arguments, or all of them, to the call at a place. */
  passArguments(place: number, text: string, isWhole: boolean): Json[]
  /** Ends the item at a place, with what it holds. */
  end(item: Json, place: number): Json[]
  /** Adds what only the list of all items has. Its places may differ from those of the events before, so texts and ids are compared. */
  endAll(output: readonly Json[]): Json[]
  /** Whether thoughts with an id have begun. */
  hasThoughts(id: string): boolean
}

interface Begun {
  kind: string
  id: string
  call: string
}

function createResponseItems(): ResponseItems {
  const begun = new Map<number, Begun>()
  /** The texts and arguments so far, by place. */
  const known = new Map<string, string>()
  const ended = new Set<number>()
  const isAt = (place: number, kind: string) => begun.get(place)?.kind === kind
  const idAt = (place: number) => begun.get(place)?.id ?? ''
  const add = (key: string, text: string, isWhole: boolean): string => {
    const before = known.get(key) ?? ''
    const piece = !isWhole ? text : text.startsWith(before) ? text.slice(before.length) : ''
    known.set(key, before + piece)
    return piece
  }
  const items: ResponseItems = {
    hasThoughts: (id) => [...begun.values()].some((one) => one.kind === 'reasoning' && one.id === id),
    begin(item, place) {
      if (begun.has(place)) return []
      const id = textAt(item, 'id') || `item_${place}`
      begun.set(place, { kind: textAt(item, 'type'), id, call: textAt(item, 'call_id') })
      const fields = fieldsOf(item, id)
      return fields ? [{ type: 'response.output_item.added', output_index: place, item: fields }] : []
    },
    say(place, part, text, isWhole) {
      const start = items.begin({ type: 'message' }, place)
      const delta = isAt(place, 'message') ? add(`text ${place} ${part}`, text, isWhole) : ''
      if (delta === '') return start
      return [...start, { type: 'response.output_text.delta', item_id: idAt(place), delta }]
    },
    passArguments(place, text, isWhole) {
      const delta = isAt(place, 'function_call') ? add(`call ${place}`, text, isWhole) : ''
      const at = { item_id: idAt(place), output_index: place }
      return delta === '' ? [] : [{ type: 'response.function_call_arguments.delta', ...at, delta }]
    },
    end(item, place) {
      const isNew = !begun.has(place)
      const start = items.begin(item, place)
      const { kind, id } = begun.get(place) as Begun
      const fields = fieldsOf(item, id)
      if (!fields || kind !== item.type || ended.has(place)) return start
      ended.add(place)
      const said = textsIn(item).flatMap((text, i) => items.say(place, i, text, true))
      const input = items.passArguments(place, textAt(item, 'arguments'), true)
      const whole = { arguments: known.get(`call ${place}`) ?? '', status: 'completed' }
      const done = { ...fields, ...(kind === 'function_call' && whole) }
      const last = { type: 'response.output_item.done', output_index: place, item: done }
      return [...start, ...said, ...(isNew ? thoughtsOf(item, id) : []), ...input, last]
    },
    endAll(output) {
      const texts = [...known].flatMap(([key, text]) => (key.startsWith('text') ? [text] : []))
      const rest = restOf(output, texts.join(''))
      const free = Math.max(-1, ...begun.keys()) + 1
      const matched = new Set<number>()
      const hadThoughts = [...begun.values()].some(({ kind }) => kind === 'reasoning')
      return output.flatMap((item, i) => {
        const text = rest.get(item)
        if (text !== undefined) return text === '' ? [] : items.say(free + i, 0, text, true)
        if (item.type === 'reasoning' && hadThoughts) return []
        const isSame = ([at, { kind, call }]: [number, Begun]) =>
          !matched.has(at) && kind === item.type && call === textAt(item, 'call_id')
        const [place = free + i] = [...begun].find(isSame) ?? []
        matched.add(place)
        return items.end(item, place)
      })
    },
  }
  return items
}

function restOf(output: readonly Json[], said: string): Map<Json, string> {
  let before = said
  const messages = output.filter(({ type }) => type === 'message')
  return new Map(
    messages.map((item) => {
      const whole = textsIn(item).join('')
      const isKnown = before.startsWith(whole)
      const rest = !isKnown && whole.startsWith(before) ? whole.slice(before.length) : ''
      before = isKnown ? before.slice(whole.length) : ''
      return [item, rest]
    }),
  )
}

const textsIn = (item: Json): string[] =>
  listAt(item, 'content').flatMap((part) => (part.type === 'output_text' ? [textAt(part, 'text')] : []))

function fieldsOf(item: Json, id: string): Json | undefined {
  const { type, phase } = item
  if (type === 'message') {
    const isPhase = phase === 'commentary' || phase === 'final_answer'
    return { type, id, ...(isPhase && { phase }) }
  }
  if (type === 'reasoning') return { type, id, ...textsOf(item, 'encrypted_content') }
  if (type !== 'function_call') return undefined
  return { type, id, call_id: '', name: '', ...textsOf(item, 'call_id', 'name'), arguments: '' }
}

const thoughtsOf = (item: Json, item_id: string): Json[] =>
  listAt(item, 'summary').flatMap((part, summary_index) => [
    { type: 'response.reasoning_summary_part.added', item_id, summary_index },
    { type: 'response.reasoning_summary_text.delta', item_id, summary_index, delta: textAt(part, 'text') },
  ])
