import type { Problem } from '../../text/errors.ts'

type Foreign = Omit<Problem, 'where'>

const utf16: Foreign = {
  what: 'is UTF-16 text, not UTF-8',
  fix: 'Save it as UTF-8; in Excel as "CSV UTF-8".',
}

const signatures: readonly { bytes: readonly number[]; foreign: Foreign }[] = [
  { bytes: [0xff, 0xfe], foreign: utf16 },
  { bytes: [0xfe, 0xff], foreign: utf16 },
  {
    bytes: [0x50, 0x4b, 0x03, 0x04],
    foreign: {
      what: 'is a zip archive or a workbook of a spreadsheet, not text',
      fix: 'Save the sheet as "CSV UTF-8", or unpack the archive.',
    },
  },
  {
    bytes: [0x50, 0x41, 0x52, 0x31],
    foreign: { what: 'is a Parquet file, not text', fix: 'Convert it to JSONL, one object per line.' },
  },
]

/** Names the format of a file that begins with these bytes, if it is known and is no UTF-8 text. */
export function foreignFormat(start: Uint8Array): Foreign | undefined {
  const known = signatures.find(({ bytes }) => bytes.every((byte, i) => start[i] === byte))
  if (known) return known.foreign
  const head = start.subarray(0, 1024)
  const zeros = head.filter((byte) => byte === 0).length
  if (zeros === 0) return undefined
  // In UTF-16 without a mark every other byte of plain letters is zero.
  return zeros >= head.length / 4 ? utf16 : { what: 'is not text', fix: 'Give a text file in UTF-8.' }
}
