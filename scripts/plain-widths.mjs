import { readFileSync } from 'node:fs'

/**
 * A plugin of the bundle: tables measure plain text without the expression that finds emoji, which takes longer to compile
 * than a table to draw. In such text there are none, and each character is one column wide.
 */
export const plainWidths = {
  name: 'plain widths',
  load: (id) =>
    /string-width.index\.js$/.test(id)
      ? `${readFileSync(id, 'utf8')}
module.exports = (text) => (/^[ -~\u2010-\u2027]+$/.test(text) ? text.length : stringWidth(text))`
      : null,
}
