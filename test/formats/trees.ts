import fc from 'fast-check'
import {
  cleanName,
  cleanText,
  type Element,
  element,
  isAttributeName,
  type Node,
  tidyChildren,
} from '../../src/formats/tree.ts'

const distinctive = [
  '',
  ' ',
  '\n',
  '\n\n',
  '\t',
  '#',
  '# a',
  '- a',
  '* ',
  '+',
  '1. a',
  '2)',
  '> a',
  '---',
  '===',
  '```',
  '~~~',
  '`',
  '``',
  '**',
  '**a**: b',
  '_a_',
  '[a]: b',
  '[a](b)',
  '<b>',
  '</b>',
  '<!--',
  ']]>',
  '<![CDATA[',
  '&amp;',
  '&#65;',
  '&',
  '\\',
  '\\*',
  '"',
  "'",
  ': ',
  'a="b"',
  '    a',
  'a  \nb',
  '|a|',
  'größe',
  '日本語',
  '\u{1F600}',
  'e\u0301',
  '\u00A0',
  '\u2028',
  '\u0085',
  '\uFEFF',
  'word',
  'two words',
  'Use `add(a, b)` and _this_.',
  '{"a": 1}',
  '__proto__',
  'constructor',
  'text',
  'code',
  'document',
  'item',
  '_',
  '10',
]
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...distinctive) },
  fc.string({ unit: 'binary', maxLength: 6 }),
)
const words = fc.array(piece, { maxLength: 4 }).map((pieces) => cleanText(pieces.join('')))
const name = fc.oneof(
  fc.constantFrom(
    'design',
    'component',
    'item',
    'code',
    'document',
    'text',
    '_',
    'constructor',
    '__proto__',
    '1',
  ),
  words.map(cleanName),
)
const attributes = fc.dictionary(
  fc.oneof(fc.constantFrom('id', 'language', 'name'), words).filter(isAttributeName),
  words,
  { maxKeys: 3 },
)
const text = words.map((text): Node => ({ kind: 'text', text }))
const code = fc.record({
  kind: fc.constant('code' as const),
  language: fc.oneof(fc.constantFrom('', 'js', 'c++', 'text'), fc.stringMatching(/^[\w+#.-]{0,4}$/)),
  text: words,
})

const { tree } = fc.letrec<{ tree: Element; node: Node }>((tie) => ({
  node: fc.oneof({ maxDepth: 4, depthSize: 'small' }, text, code, tie('tree')),
  tree: fc
    .tuple(name, fc.array(tie('node'), { maxLength: 4 }), attributes)
    .map(([name, children, attributes]) => element(name, tidyChildren(children), attributes)),
}))

/** Arbitrary documents: attributes, mixed content, fences, CDATA, Unicode, and texts that have a meaning in one of the formats. */
export const anyTree = tree

/** Compares as plain data, whatever the prototype of an attribute map. */
export const plain = (tree: Element) => JSON.stringify(tree, undefined, 1)
