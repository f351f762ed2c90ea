import { createHistory } from './history.ts'

export interface TextBuffer {
  text(): string
  cursor(): number
  moveTo(position: number): void
  insert(addition: string): void
  remove(from: number, to: number): void
  undo(): boolean
  redo(): boolean
  group<Result>(work: () => Result): Result
  sizes(): { undo: number; redo: number }
}

interface State {
  text: string
  cursor: number
}

/** The text before and after an edit, or several. */
interface Span {
  before: State
  after: State
}

/** A text with a cursor, whose edits can be undone. */
export function createBuffer(text = '', limit = 100): TextBuffer {
  const history = createHistory<Span>(limit)
  let now: State = { text, cursor: text.length }
  let typing = false // the top entry is typing that the next unit may join
  let open: { span?: Span } | undefined // the innermost group

  function check(position: number): void {
    if (!Number.isInteger(position) || position < 0 || position > now.text.length) {
      throw new RangeError(`no position in the text: ${position}`)
    }
  }

  function edit(next: State, unit?: string): void {
    const before = now
    now = next
    if (open) {
      open.span = { before: open.span?.before ?? before, after: next }
      return
    }
    const top = history.top()
    if (top && typing && unit !== undefined && joins(before.text.charAt(before.cursor - 1), unit)) {
      history.replaceTop({ before: top.before, after: next })
    } else {
      history.push({ before, after: next })
    }
    typing = unit !== undefined
  }

  function travel(step: () => Span | undefined, to: 'before' | 'after'): boolean {
    if (open) throw new Error('there is no undo or redo within a group')
    typing = false
    const span = step()
    if (!span) return false
    now = span[to]
    return true
  }

  function group<Result>(work: () => Result): Result {
    const outer = open
    const start = now
    const own: { span?: Span } = {}
    open = own
    let result: Result
    try {
      result = work()
    } catch (error) {
      now = start
      open = outer
      if (own.span) typing = false
      throw error
    }
    open = outer
    if (own.span) close(own.span)
    return result
  }

  function close(span: Span): void {
    if (open) {
      open.span = { before: open.span?.before ?? span.before, after: span.after }
      return
    }
    history.push(span)
    typing = false
  }

  return {
    text: () => now.text,
    cursor: () => now.cursor,
    moveTo(position) {
      check(position)
      now = { text: now.text, cursor: position }
      typing = false
    },
    insert(addition) {
      if (addition === '') return
      const { text, cursor } = now
      const next = { text: text.slice(0, cursor) + addition + text.slice(cursor), cursor: cursor + addition.length }
      edit(next, addition.length === 1 ? addition : undefined)
    },
    remove(from, to) {
      check(from)
      check(to)
      if (from > to) throw new RangeError('the range runs backwards')
      if (from < to) edit({ text: now.text.slice(0, from) + now.text.slice(to), cursor: from })
    },
    undo: () => travel(history.undo, 'before'),
    redo: () => travel(history.redo, 'after'),
    group,
    sizes: () => history.sizes(),
  }
}

const joins = (last: string, unit: string) => !/\s/.test(last) || /\s/.test(unit)
