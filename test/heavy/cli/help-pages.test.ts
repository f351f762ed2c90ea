import { expect, it } from 'vitest'
import { pageText } from '../../../src/commands/help/page-text.ts'
import { readTopics } from '../../../src/commands/help/topics.ts'
import { displayWidth } from '../../../src/text/display-width.ts'

const names = readTopics().map(({ name }) => name)

it.each(readTopics().map(({ name, text }) => [name, text]))(
  'the page %s fits 60 columns but for code, without the marks of Markdown',
  { timeout: 60_000 },
  (_, text) => {
    const lines = pageText(text, 60).split('\n')
    const words = lines.filter((line) => !/^ *(?:- )? {4}/.test(line))
    expect(words.filter((line) => displayWidth(line) > 60 && line.trim().includes(' '))).toEqual([])
    // In a table the words of another cell stand behind a line's end.
    const named = lines.flatMap((line) =>
      [...line.matchAll(/\(bench help ([\w-]+)/g)].map(([, name]) => name),
    )
    expect(named.filter((name) => !names.includes(name ?? ''))).toEqual([])
    expect(words.filter((line) => /\]\([^)]*\.md|^\| |<!--/.test(line.replaceAll(/`[^`]*`?/g, '')))).toEqual(
      [],
    )
  },
)
