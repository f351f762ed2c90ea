import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../../src/base/package-root.ts'
import { documentOf, graphOf } from '../../helpers/graph/documents.ts'

const [, guide = ''] = readFileSync(join(packageRoot(), 'docs/guides/graphs.md'), 'utf8').split(
  '\n# Graph documents\n',
)
const blocks = [...guide.matchAll(/(<!-- steps -->\n)?```yaml(?: \S+)?\n(.*?)```/gs)].map(
  ([, isPart, yaml = '']) => (isPart ? documentOf(yaml.trimEnd()) : yaml),
)

describe('the guide to graph documents', () => {
  it.each(blocks)('has an example that compiles (%#)', (text) => {
    expect(graphOf(text).length).toBeGreaterThan(1)
  })

  it('has an example of each pattern', () => {
    const patterns = blocks.flatMap((text) => /^ {8}pattern: (\w+)/m.exec(text)?.[1] ?? [])
    expect(patterns.sort()).toMatchSnapshot()
  })
})
