import { expect, it } from 'vitest'
import { pageText } from '../../../src/commands/help/page-text.ts'

const page = `# Title

A **bold** word, \`code\`, [a guide](../guides/compare.md#read-it), [a page](replies.md),
[a site](https://example.org), [below](#part) and [design](../design.md).

<!-- mark -->

- one item that is long enough to go on in a second line of the page
  1. inner
- two

| option | means |
| --- | --- |
| \`a\\|b\` | a cell that is too long for one line of this narrow table, so it goes on |
| c | short |

\`\`\`
code   stays, however long its line is, so that it can be copied into a terminal
\`\`\`
`

it.each([40, 80])('a page is printed in lines of %i columns, without the marks of Markdown', (width) => {
  expect(pageText(page, width)).toMatchSnapshot()
})
