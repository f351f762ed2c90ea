import { InfrastructureError, UserError } from '../errors.ts'
import { runTool } from '../sandbox/run-tool.ts'
import { findTool } from '../sandbox/tools.ts'
import { withoutSecrets } from '../sandbox/without-secrets.ts'

/**
 * What makes a PDF of an SVG, vectors and fonts kept: rsvg-convert. `date` (ISO) stands in the file, so that equal figures
 * give equal files. Throws `UserError` where the program is missing.
 */
export async function openPdf(date: string): Promise<(svg: string) => Promise<Uint8Array>> {
  const tool = await findTool('rsvg-convert')
  if (!tool.found)
    throw new UserError({
      where: '--format pdf',
      what: 'needs rsvg-convert, which is not here',
      fix: `${tool.remedy} Or write --format svg.`,
    })
  const env = { ...withoutSecrets(), SOURCE_DATE_EPOCH: String(Math.floor(Date.parse(date) / 1000)) }
  // Bytes as characters.
  const asBytes = { encoding: 'latin1', stripFinalNewline: false } as const
  return async (svg) => {
    const options = { env, input: svg, timeout: 60_000, ...asBytes }
    const { failed, stdout, stderr, shortMessage } = await runTool(tool.path, ['--format', 'pdf'], options)
    if (failed) throw new InfrastructureError(`rsvg-convert: ${stderr.trim() || shortMessage}`)
    return Buffer.from(stdout, 'latin1')
  }
}
