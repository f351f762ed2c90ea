import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { packageRoot } from '../../../src/base/package-root.ts'

/** A fenced block of a page: its language, what stands behind that, such as `road` or the name of a file, and its text. */
export interface Block {
  language: string
  meta: string
  text: string
  line: number
}

/** A node of a Markdown tree, as far as fenced blocks need it. */
interface Part {
  type: string
  lang?: string | null
  meta?: string | null
  value?: string
  position?: { start: { line: number } }
  children?: Part[]
}

const partsOf = (part: Part): Part[] => [part, ...(part.children ?? []).flatMap(partsOf)]

/** Returns the fenced blocks of a page of the project, in their order. */
export function blocksOf(page: string): Block[] {
  const tree = fromMarkdown(readFileSync(join(packageRoot(), page), 'utf8')) as Part
  return partsOf(tree)
    .filter(({ type }) => type === 'code')
    .map(({ lang, meta, value, position }) => ({
      language: lang ?? '',
      meta: meta ?? '',
      text: value ?? '',
      line: position?.start.line ?? 0,
    }))
}

/** Returns the files that a page shows: blocks whose name stands behind the language. */
export function filesOf(page: string): Record<string, string> {
  const named = blocksOf(page).filter(({ language, meta }) => language !== 'sh' && /\.\w+$/.test(meta))
  return Object.fromEntries(named.map(({ meta, text }) => [meta, `${text}\n`]))
}

/** What a shell reads as one: a quoted text, the end of a line that goes on, the begin of a text below, a comment, or a sign. */
const pieces = /'[^']*'|"(?:\\.|[^"\\])*"|\s*\\\n\s*|\\.|<<'?(?<end>\w+)'?|(?<=^|\s)#[^\n]*|&&|[\s\S]/g

/**
 * Returns the commands of a block, as a person enters them one by one: comments gone, long lines joined, `&&` taken apart. In a block
 * of a console they stand behind `$ `.
 */
export function commandsOf({ language, text }: Pick<Block, 'language' | 'text'>): string[] {
  if (language === 'console')
    return text.split('\n').flatMap((line) => (line.startsWith('$ ') ? [line.slice(2)] : []))
  const commands = ['']
  let end: string | undefined
  for (const { 0: piece, groups } of text.matchAll(pieces)) {
    const last = commands.length - 1
    end ??= groups?.end
    const isBelow = end !== undefined && commands[last]?.includes('\n')
    if (isBelow || (piece === '\n' && end !== undefined)) commands[last] += piece
    else if (piece === '\n' || piece === '&&') commands.push('')
    else if (/^\s*\\\n/.test(piece)) commands[last] += ' '
    else if (!piece.startsWith('#')) commands[last] += piece
    if (isBelow && commands[last]?.endsWith(`\n${end}`)) end = undefined
    if (isBelow && end === undefined) commands.push('')
  }
  return commands.map((command) => command.trim()).filter((command) => command !== '')
}
