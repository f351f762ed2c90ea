/** One event of a stream of server-sent events, or what stands between two of them, such as comments. */
export interface StreamEvent {
  /** The data of the event, its lines joined; undefined without data. */
  data: string | undefined
  /** The lines as they came, with their ends made `\n`. */
  lines: string
}

/** Splits a stream of server-sent events. Each character is looked at once, however small the pieces are. */
interface EventSplitter {
  /** Returns the events that a piece of text ends. Throws `RangeError` for an event of more than 32 Mi characters. */
  add(piece: string): StreamEvent[]
  /** Returns what is left at the end of the stream; undefined if nothing is. */
  end(): StreamEvent | undefined
}

/** Maximum length of an event, in characters. A longer one is not a model's and would fill memory. */
const longestEvent = 32 * 1024 * 1024

/** Creates a splitter. Lines end with LF, CRLF or CR, and a byte order mark may come first, as the standard allows. */
export function createEventSplitter(): EventSplitter {
  let line: string[] = []
  let event: string[] = []
  let isFirst = true
  let hadReturn = false
  let length = 0
  const close = (): StreamEvent => {
    const data = event.filter((one) => one === 'data' || one.startsWith('data:'))
    const lines = `${event.join('\n')}\n\n`
    event = []
    length = 0
    return { data: data.length === 0 ? undefined : data.map(dataOf).join('\n'), lines }
  }
  const endLine = (): StreamEvent[] => {
    const whole = line.join('')
    line = []
    if (whole !== '') {
      event.push(whole)
      return []
    }
    return event.length > 0 ? [close()] : []
  }
  return {
    add(piece) {
      let text = isFirst && piece !== '' ? piece.replace(/^\ufeff/, '') : piece
      // The second half of a CRLF that two pieces share.
      if (hadReturn && text.startsWith('\n')) text = text.slice(1)
      if (piece !== '') {
        isFirst = false
        hadReturn = piece.endsWith('\r')
      }
      const lines = text.split(/\r\n|\n|\r/)
      return lines.flatMap((part, place) => {
        if (part !== '') line.push(part)
        length += part.length
        if (length > longestEvent) throw new RangeError('an event of the stream is longer than 32 MiB')
        return place < lines.length - 1 ? endLine() : []
      })
    },
    end() {
      const rest = line.join('')
      line = []
      if (rest !== '') event.push(rest)
      return event.length > 0 ? close() : undefined
    },
  }
}

const dataOf = (line: string) => line.slice(5).replace(/^ /, '')
