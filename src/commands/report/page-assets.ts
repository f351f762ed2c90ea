import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import { joinModules } from '../../reports/html/document.ts'

/** Reads the style sheets and modules of a page, each kind as one text. */
export function readAssets({
  style,
  script: modules,
}: {
  style: readonly string[]
  script: readonly string[]
}) {
  const asset = (name: string) => readFileSync(join(packageRoot(), 'src/reports/html/page', name), 'utf8')
  const script = joinModules(modules.map(asset))
  return {
    ...{ style: style.map(asset).join('\n'), script },
    scriptHash: createHash('sha256').update(script).digest('base64'),
  }
}
