import { cutToWidth, displayWidth, padEnd, padStart } from '../../text/display-width.ts'
import { longestPart, wrapWords } from '../../text/wrap-words.ts'
import type { ScreenRow } from '../claims/rows.ts'
import type { FirstScreen, NextCommand } from '../screen/first-screen.ts'
import { type ScreenColumn, screenColumns, screenDetails } from '../screen/screen-columns.ts'
import { counted } from '../words/numbers.ts'

const gap = 2
/** A longer name may stand on a line of its own above its numbers. */
const usualName = 8
/** Lines of a screen of few methods; warnings beyond it are counted. */
const mostLines = 20
const usualRows = 4
/** Columns of the names of sentences. */
const indent = 7

/**
 * Renders the first screen: a title, one table, three sentences, warnings, and the next commands. Where tables follow
 * (`isAlone` is false), it has every warning.
 */
export function renderScreenText(
  screen: FirstScreen,
  { width, isAlone }: { width: number; isAlone: boolean },
): string {
  const { title, simulated, rows, sentences, warnings, commands } = screen
  const head = [
    ...wrapWords(title, width),
    ...(simulated === null ? [] : wrapWords(simulated, width)),
    ...(rows.length === 0 ? [] : ['', ...tableLines(screen, width)]),
    '',
    ...sentences.flatMap(({ label, text }) => sentenceLines(label, text, width)),
  ]
  // Errors do not take the room of the warnings.
  const told = sentences.filter(({ label }) => label === 'Errors')
  const extra = told.flatMap(({ label, text }) => sentenceLines(label, text, width)).length
  const usual = Math.max(mostLines, rows.length + mostLines - usualRows) + extra
  const most = isAlone ? usual : Number.MAX_SAFE_INTEGER
  const next = isAlone
    ? wholeLines(commands, width, most - head.length - Math.min(warnings.length, 1))
    : nextLines(commands, width)
  const [all] = commands
  const room = most - head.length - next.length
  const said = [...head, ...warningLines(warnings, room, width, all?.command ?? 'bench report RUN')]
  // A full screen has no room for an empty line.
  const between = said.length + next.length < most ? [''] : []
  return `${[...said, ...between, ...next].join('\n')}\n`
}

/** Returns as many warnings as there is room for, at least the first, and the number of the others. */
function warningLines(warnings: readonly string[], room: number, width: number, command: string): string[] {
  const all = warnings.map((text) => sentenceLines('Warn', text, width))
  const lines: string[] = []
  for (const [i, own] of all.entries()) {
    const rest = all.length - i
    const left = room - lines.length
    const fits = own.length + (rest > 1 ? 1 : 0) <= left
    if (i > 0 && !fits)
      return [...lines, ...sentenceLines('', `${counted(rest, 'more warning')}: ${command}`, width)]
    lines.push(...own)
  }
  return lines
}

function sentenceLines(label: string, text: string, width: number): string[] {
  const narrow = width < 4 * indent
  const lines = wrapWords(text, Math.max(1, narrow ? width : width - indent))
  if (narrow) return [...(label === '' ? [] : [label]), ...lines]
  return lines.map((line, i) => padEnd(i === 0 ? label : '', indent) + line)
}

/** The commands at the end of a run, as they can be typed: with what they show in two lines, else alone, as many as there is room for. */
function wholeLines(commands: readonly NextCommand[], width: number, room: number): string[] {
  const named = commands.map(({ what, command }) => `${what}: ${command}`)
  const told = flow(named, width)
  if (told.length <= 2 && told.every((line) => displayWidth(line) <= width)) return told
  const alone = commands.map(({ command }) => command)
  const lines = flow(alone, width).flatMap((line) => commandLines(line, width))
  return lines.length > room && commands.length > 2 ? wholeLines(commands.slice(0, -1), width, room) : lines
}

/** Puts as many commands on a line as fit. If that takes too many lines, the run stands only in the first command. */
function nextLines(commands: readonly NextCommand[], width: number): string[] {
  const items = commands.map(({ what, command }) => `${what}: ${command}`)
  const whole = flow(items, width)
  if (whole.length <= 2 && whole.every((line) => displayWidth(line) <= width)) return whole
  const [first, ...rest] = commands
  if (!first) return []
  const leading = displayWidth(items[0] ?? '') <= width ? (items[0] ?? '') : first.command
  const lines = flow([leading, ...rest.map(({ short }) => short)], width)
  return lines.flatMap((line) => commandLines(line, width))
}

/** Puts items beside each other as far as they fit. */
function flow(items: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const item of items) {
    const last = lines.at(-1)
    const longer = `${last}${' '.repeat(gap + 1)}${item}`
    if (last !== undefined && displayWidth(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(item)
  }
  return lines
}

function tableLines(screen: FirstScreen, width: number): string[] {
  const names = nameTexts(screen.rows)
  const longest = widest(names)
  const columns = columnsFor(screen, names, width)
  const room = Math.max(1, width - widthOf(columns) - gap)
  const nameWidth = Math.min(longest, columns.length === 0 ? width : room)
  const cells = names.map((_, i) => lineOf(columns.map((column) => aligned(column, column.cells[i] ?? ''))))
  return [
    ...headLines(columns).map((line) => `${' '.repeat(nameWidth + gap)}${line}`.trimEnd()),
    ...names.flatMap((name, i) => rowLines(name, cells[i] ?? '', { nameWidth, width })),
  ]
}

/**
 * Returns the columns of the fullest table that leaves room for names of a usual length. Where most names would stand above
 * their numbers, a table of fewer columns is better, unless that would cost more than the limits of a price.
 */
function columnsFor(screen: FirstScreen, names: readonly string[], width: number): SizedColumn[] {
  const tables = screenDetails.map((detail) => sizedColumns(screenColumns(screen, detail)))
  const roomOf = (columns: readonly SizedColumn[]) => width - widthOf(columns) - gap
  const fitting = tables.filter((columns) => roomOf(columns) >= Math.min(widest(names), usualName))
  const isEven = (columns: readonly SizedColumn[]) =>
    names.filter((name) => displayWidth(name) > roomOf(columns)).length <= names.length / 3
  return fitting.find((columns) => columns === tables[1] || isEven(columns)) ?? fitting[0] ?? []
}

/** A name that is longer than its column stands on its own line above the numbers. */
function rowLines(
  name: string,
  cells: string,
  { nameWidth, width }: { nameWidth: number; width: number },
): string[] {
  const isLong = displayWidth(name) > nameWidth
  const line = `${padEnd(isLong ? '' : name, nameWidth)}${' '.repeat(gap)}${cells}`.trimEnd()
  return isLong ? [...wrapWords(name, width), line] : [line]
}

function nameTexts(rows: readonly ScreenRow[]): string[] {
  const method = widest(rows.map((row) => row.method))
  return rows.map((row) =>
    row.agents === null ? row.method : `${padEnd(row.method, method)}  ${row.agents}`,
  )
}

interface SizedColumn extends ScreenColumn {
  width: number
}

function sizedColumns(columns: readonly ScreenColumn[]): SizedColumn[] {
  const sized = columns.map((column) => {
    const cells = alignParts(column.cells, column.key !== 'price')
    return { ...column, cells, width: widest([column.unit, ...cells]) }
  })
  for (const [last, span] of spansOf(sized)) last.width += Math.max(0, headingWidth(last.group) - span)
  return sized
}

/** A short heading stays on one line. */
const headingWidth = (text: string): number =>
  Math.max(longestPart(text), Math.min(displayWidth(text), usualName))

const widthOf = (columns: readonly SizedColumn[]): number =>
  columns.reduce((sum, { width }) => sum + width + gap, -gap)

function spansOf(columns: readonly SizedColumn[]): Map<SizedColumn, number> {
  const spans = new Map<SizedColumn, number>()
  for (const [at, column] of columns.entries()) {
    const before = columns[at - 1]
    const span = before?.group === column.group ? (spans.get(before) ?? 0) + gap : 0
    if (before?.group === column.group) spans.delete(before)
    spans.set(column, span + column.width)
  }
  return spans
}

function headLines(columns: readonly SizedColumn[]): string[] {
  const groups = [...spansOf(columns)].map(([{ group, align, width: own }, width]) => ({
    ...{ align, width, lines: wrapWords(group, width), isOne: own === width },
  }))
  const height = groups.reduce((most, { lines }) => Math.max(most, lines.length), 0)
  const above = Array.from({ length: height }, (_, at) =>
    lineOf(
      groups.map(({ lines, width, isOne, align }) => {
        const text = lines[at - height + lines.length] ?? ''
        return (isOne && align === 'right' ? padStart : padEnd)(text, width)
      }),
    ),
  )
  return [...above, lineOf(columns.map((column) => aligned(column, column.unit)))]
}

const aligned = ({ align, width }: SizedColumn, text: string) =>
  (align === 'left' ? padEnd : padStart)(text, width)

const lineOf = (cells: readonly string[]) => cells.join(' '.repeat(gap)).trimEnd()

const widest = (texts: readonly string[]) =>
  texts.reduce((most, text) => Math.max(most, displayWidth(text)), 0)

/** Pads the numbers of intervals, so that those of one column stand below each other; limits of very different sizes do not. */
function alignParts(cells: readonly string[], alignsLimits: boolean): string[] {
  const parts = cells.map((cell) => /^(\S+) (\[\S+,) (\S+\])$/.exec(cell)?.slice(1))
  const widthAt = (at: number) => widest(parts.map((part) => part?.[at] ?? ''))
  const [ahead, low, high] = [widthAt(0), widthAt(1), widthAt(2)]
  const limits = parts.map((part) => {
    const [, lower = '', upper = ''] = part ?? []
    return alignsLimits
      ? `[${padStart(lower.slice(1), low - 1)} ${padStart(upper, high)}`
      : `${lower} ${upper}`
  })
  const behind = widest(limits)
  return cells.map((cell, i) => {
    const [estimate] = parts[i] ?? []
    if (estimate !== undefined) return `${padStart(estimate, ahead)} ${padEnd(limits[i] ?? '', behind)}`
    // An estimate without limits stands below the other estimates.
    const isEstimate = /^[-+]?[\d.]+$/.test(cell) && ahead > 0
    return isEstimate ? padEnd(padStart(cell, ahead), ahead + 1 + behind) : cell
  })
}

/**
 * Splits a command into lines of at most `width` columns that a shell reads as one command: at spaces, each line with a
 * backslash at its end. A longer word is split without an indent, since the shell joins its parts; a quoted one stays whole.
 */
export function commandLines(command: string, width: number, indent = ''): string[] {
  if (displayWidth(indent + command) <= width) return [indent + command]
  if (/['"]/.test(command)) return [indent + command]
  const lines: string[] = []
  let line = indent
  for (const word of command.split(' ')) {
    const isFirst = line.trim() === ''
    const longer = isFirst ? line + word : `${line} ${word}`
    if (displayWidth(longer) + 2 <= width) {
      line = longer
      continue
    }
    if (!isFirst) lines.push(`${line} \\`)
    const [first = '', ...rest] = cutToWidth(word, width - displayWidth(indent) - 2)
    line = indent + first
    for (const piece of rest) {
      lines.push(`${line}\\`)
      line = piece
    }
  }
  return [...lines, line]
}
