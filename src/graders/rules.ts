import { fromMarkdown } from 'mdast-util-from-markdown'
import type { Block } from '../schema/grader-spec.ts'
import { cutMiddle } from '../text/shorten.ts'
import type { Grader } from './grader.ts'
import { binaryScore, emptyAnswerScore } from './grader.ts'

/** Characters for each allowed word. A longer text is not read: its Markdown could take minutes to parse. */
const charactersPerWord = 20

/** Grades a text by stated rules: its number of words, the Markdown that it must not have, the facts that it must state. The score is the share of rules that it keeps. */
export const rules: Grader<'rules'> = ({ spec, answer }) => {
  const text = answer?.trim()
  if (!text) return emptyAnswerScore(spec.name)
  const { min, max } = spec.words
  const most = max * charactersPerWord
  if (text.length > most)
    return binaryScore(spec.name, false, `has ${text.length} characters, more than ${most} for ${max} words`)
  const count = countWords(text)
  const found = spec.forbid.length > 0 ? blocksOf(text) : new Set<Block>()
  const plain = plainText(text)
  const faults = [
    ...(count < min ? [`has ${count} words, fewer than ${min}`] : []),
    ...(count > max ? [`has ${count} words, more than ${max}`] : []),
    ...spec.forbid.filter((block) => found.has(block)).map((block) => `has a ${names[block]}`),
    ...spec.facts
      .filter((spellings) => !spellings.some((spelling) => states(plain, spelling)))
      .map(([first]) => `does not state ${JSON.stringify(first)}`),
  ]
  const all = 1 + spec.forbid.length + spec.facts.length
  const reason = faults.join('; ') || `keeps all rules, with ${count} words`
  return { name: spec.name, value: (all - faults.length) / all, reason: cutMiddle(reason) }
}

/** Counts the parts between white space that have a letter or a digit. */
export const countWords = (text: string): number =>
  text.split(/\s+/).filter((part) => /[\p{L}\p{N}]/u.test(part)).length

const names: Readonly<Record<Block, string>> = {
  heading: 'heading',
  list: 'list',
  code: 'block of code',
  quote: 'quotation block',
  rule: 'line across the page',
  html: 'tag of HTML',
}

const blocks: Readonly<Record<string, Block>> = {
  heading: 'heading',
  list: 'list',
  code: 'code',
  blockquote: 'quote',
  thematicBreak: 'rule',
  html: 'html',
}

interface Node {
  type: string
  children?: readonly Node[]
}

/** Returns the kinds of blocks in a text. A paragraph in bold alone is a heading; a line that begins with a bullet sign is a list. */
function blocksOf(text: string): Set<Block> {
  const found = new Set<Block>(/^\s*[•‣◦▪●]/mu.test(text) ? ['list'] : [])
  const open: Node[] = [fromMarkdown(text) as Node]
  for (let node = open.pop(); node; node = open.pop()) {
    const block = blocks[node.type]
    if (block) found.add(block)
    const children = node.children ?? []
    if (node.type === 'paragraph' && children.length === 1 && children[0]?.type === 'strong')
      found.add('heading')
    open.push(...children)
  }
  return found
}

const plainText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‐‑–—−]/g, '-')
    .replace(/[‘’]/g, "'")
    .replace(/[*_`]/g, '')
    .replace(/\s+/g, ' ')

function states(plain: string, spelling: string): boolean {
  const wanted = plainText(spelling).trim()
  for (let at = plain.indexOf(wanted); at >= 0; at = plain.indexOf(wanted, at + 1)) {
    const isPart = isWordPart(plain[at - 1]) || isWordPart(plain[at + wanted.length])
    if (!isPart) return true
  }
  return false
}

const isWordPart = (character: string | undefined) =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character)
