import { execFile } from 'node:child_process'
import { InfrastructureError, UserError } from '../errors.ts'
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
  return (svg) =>
    new Promise((resolve, reject) => {
      const child = execFile(
        tool.path,
        ['--format', 'pdf'],
        { env, encoding: 'buffer', maxBuffer: 64 * 1024 * 1024, timeout: 60_000 },
        (error, stdout, stderr) => {
          if (error)
            reject(new InfrastructureError(`rsvg-convert: ${stderr.toString().trim() || error.message}`))
          else resolve(stdout)
        },
      )
      // It may end before it has read all; that it failed is told above.
      child.stdin?.on('error', () => {})
      child.stdin?.end(svg)
    })
}
