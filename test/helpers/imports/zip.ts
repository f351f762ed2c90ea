import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of an archive. `data` is packed by `method`: stored (0), deflated (8), or Zstandard (93) of at most 255 bytes. */
export interface ZipEntry {
  name: string
  data: string | Buffer
  method?: 0 | 8 | 93
  /** What the directory says of its length, if that is a lie. */
  size?: number
  /** It says that it is encrypted. */
  encrypted?: true
}

/** Makes a zip archive, whose names and lengths may be whatever an attacker writes. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, data, method = 8, size, encrypted } of entries) {
    const plain = Buffer.from(data as string)
    const packed =
      method === 8 ? deflateRawSync(plain) : method === 93 && !encrypted ? zstandardOf(plain) : plain
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(encrypted ? 0x801 : 0x800, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt32LE(crc32(plain), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(size ?? plain.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), common, place, Buffer.from(name)]),
    )
    parts.push(local)
    offset += local.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(list.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, list, Buffer.from('PK\x05\x06'), end])
}

/** A frame of Zstandard with one block that is stored. */
function zstandardOf(plain: Buffer): Buffer {
  if (plain.length > 255) throw new RangeError('a longer frame needs more than one byte for its length')
  const block = Buffer.alloc(3)
  block.writeUIntLE((plain.length << 3) | 1, 0, 3)
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, plain.length]), block, plain])
}
