import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { convert, mostCharacters, read, write } from '../../src/formats/convert.ts'
import { mostDepth } from '../../src/formats/tree.ts'
import { Format } from '../../src/schema/method/format.ts'
import { anyTree } from './trees.ts'

const converted = (text: string, from: Format, to: Format) => {
  const result = convert(text, from, to)
  return 'text' in result ? result.text : result
}
const design = `<architecture>
  <component name="AuthService">
    <endpoint path="/register" method="POST"/>
    <endpoint path="/login" method="POST"/>
  </component>
  <note>
    Hash with <b>bcrypt</b> &amp; salt.
  </note>
  <code language="js"><![CDATA[if (a < b && c) return]]></code>
</architecture>`

describe('a conversion', () => {
  it('turns XML into JSON: keys, attributes, lists of equal names, mixed content, and verbatim code', () => {
    expect(JSON.parse(converted(design, 'xml', 'json') as string)).toMatchSnapshot()
  })

  it('turns XML into Markdown: headings, bold names with their attributes, fences', () => {
    expect(converted(design, 'xml', 'markdown')).toMatchSnapshot()
  })

  it('turns JSON into XML: keys that are not XML names, nested lists, numbers, null', () => {
    const value = { 'Issues found': ['no < limit', { line: 3, fatal: true }], '10': [[1], []], none: null }
    expect(converted(JSON.stringify(value), 'json', 'xml')).toMatchSnapshot()
  })

  it('turns a typical Markdown review of a model into JSON, and keeps its emphasis and links', () => {
    const review = [
      '# Code Review',
      '',
      '**Implementation:** auth.py',
      '',
      '## Issues Found',
      '- Password *validation* is [missing](https://example.org)',
      '- **Severity:** high',
      '',
      '## Request Changes',
      '1. Validate',
      '2. Limit:',
      '   ```py',
      '   limit(5)',
      '   ```',
    ].join('\n')
    expect(JSON.parse(converted(review, 'markdown', 'json') as string)).toMatchSnapshot()
  })

  it('turns every format into plain text, and plain text into a document with one text', () => {
    expect(converted(design, 'xml', 'plain')).toMatchSnapshot()
    expect(converted('a < b', 'plain', 'xml')).toBe('<document>a &lt; b</document>')
  })

  it('keeps a readable text that is already in the requested format', () => {
    expect(converted('{"a":1}', 'json', 'json')).toBe('{"a":1}')
    expect(converted('{"a":1', 'json', 'json')).toEqual({ problem: 'it is not JSON' })
  })

  it('ignores words and fences that models put around a document', () => {
    for (const text of [
      'Here it is: {"a": 1}. Done.',
      '```json\n{"a": 1}\n```',
      'So:\n```\n{"a": 1}\n```\nBye',
    ])
      expect(converted(text, 'json', 'xml'), text).toBe('<a>1</a>')
    for (const text of ['Here: <a>1</a> Done.', '```xml\n<a>1</a>\n```', '<?xml version="1.0"?>\n<a>1</a>'])
      expect(JSON.parse(converted(text, 'xml', 'json') as string), text).toEqual({ a: '1' })
    expect(converted('```md\n# a\n\nb\n```', 'markdown', 'xml')).toBe('<a>b</a>')
  })

  it('reads sibling elements as one document', () => {
    expect(JSON.parse(converted('<a>1</a><b>2</b>', 'xml', 'json') as string)).toEqual({ a: '1', b: '2' })
  })
})

describe('a text that cannot be read', () => {
  const bomb = `<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>`
  const cases: [Format, string, RegExp][] = [
    ['xml', '<a><b></a>', /^it is not well-formed XML, line 1: .*b/],
    ['xml', '<a>if (a && b)</a>', /not well-formed/],
    ['xml', '<a>&nbsp;</a>', /nobody says what &nbsp; is/],
    ['xml', 'no tag at all', /holds no XML/],
    ['xml', bomb, /DOCTYPE, which is refused/],
    ['xml', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', /DOCTYPE, which is refused/],
    ['xml', '<a>'.repeat(200) + '</a>'.repeat(200), /neste?|nests/i],
    ['json', '{"a": 1', /^it is not JSON$/],
    ['json', 'sorry, I cannot', /^it is not JSON$/],
    ['json', '['.repeat(50_000) + ']'.repeat(50_000), /nests/],
    ['markdown', ' \n ', /^it is empty$/],
    ['markdown', Array.from({ length: mostDepth + 5 }, (_, i) => `${'  '.repeat(i)}- a`).join('\n'), /nests/],
    ['plain', 'a'.repeat(mostCharacters + 1), /longer than/],
  ]
  for (const [format, text, why] of cases)
    it(`is refused with the reason: ${format}, ${text.slice(0, 40).trim()}`, () => {
      const found = read(text, format)
      expect('problem' in found ? found.problem : found).toMatch(why)
    })

  it('never throws: every text gives a document or a reason', () => {
    const scraps = [
      '<a',
      '>',
      '</a>',
      '<![CDATA[',
      ']]>',
      '{',
      '}',
      '"',
      ':',
      '[',
      '#',
      '- ',
      '\n',
      '`',
      '**',
      '&#0;',
    ]
    const scrap = fc.oneof(fc.constantFrom(...scraps), fc.string({ unit: 'binary', maxLength: 4 }))
    const text = fc.array(scrap, { maxLength: 30 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, fc.constantFrom(...Format.options), (text, format) => {
        const found = read(text, format)
        expect('problem' in found ? found.problem.length : found.tree.name.length).toBeGreaterThan(0)
      }),
      { numRuns: 1000 },
    )
  })
})

it('any document is read again in every format that it is converted to', () => {
  const from = fc.constantFrom<Format>('xml', 'json', 'markdown')
  fc.assert(
    fc.property(anyTree, from, fc.constantFrom(...Format.options), (tree, from, to) => {
      const there = convert(write(tree, from), from, to)
      expect(there).toHaveProperty('text')
      if ('text' in there && there.text.trim() !== '') expect(read(there.text, to)).toHaveProperty('tree')
    }),
    { numRuns: 300 },
  )
})
