import { crc32 } from 'node:zlib'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const filled = (start: Buffer | string, length = 600) => Buffer.concat([Buffer.from(start), Buffer.alloc(length)])

/** A zip whose files are stored as they are. */
function zip(files: Readonly<Record<string, string>>): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(files)) {
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(10, 0)
    fields.writeUInt32LE(crc32(text), 10)
    fields.writeUInt32LE(Buffer.byteLength(text), 14)
    fields.writeUInt32LE(Buffer.byteLength(text), 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(at, 10)
    const entry = Buffer.concat([hex('504b0304'), fields, Buffer.from(name), Buffer.from(text)])
    local.push(entry)
    central.push(hex('504b0102 1400'), fields, tail, Buffer.from(name))
    at += entry.length
  }
  const end = Buffer.alloc(18)
  end.writeUInt16LE(Object.keys(files).length, 4)
  end.writeUInt16LE(Object.keys(files).length, 6)
  end.writeUInt32LE(Buffer.concat(central).length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...local, ...central, hex('504b0506'), end])
}

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const contentTypes = `<Types><Override PartName="/word/document.xml" ContentType="${WORD}.main+xml"/></Types>`
/** The smallest picture that is one. */
export const PNG = hex(
  '89504e470d0a1a0a 0000000d49484452000000010000000108060000001f15c489 0000000d49444154789c6360606060000000050001a5f64540 0000000049454e44ae426082',
)
export const PDF = Buffer.from('%PDF-1.7\n1 0 obj <</Type /Catalog>> endobj\ntrailer <</Root 1 0 R>>\n%%EOF\n')

/** Accepted files: name, bytes, and the detected type. */
export const KEPT: readonly (readonly [name: string, bytes: Buffer, type: string])[] = [
  ['ticket.png', PNG, 'image/png'],
  ['photo.jpg', filled(hex('ffd8ffe000104a46494600010100000100010000')), 'image/jpeg'],
  ['voucher.pdf', PDF, 'application/pdf'],
  ['voucher without extension', PDF, 'application/pdf'],
  ['booking.com', PDF, 'application/pdf'],
  ['offer.docx', zip({ '[Content_Types].xml': contentTypes, 'word/document.xml': '<w:document/>' }), WORD],
  ['photos.zip', zip({ 'a.txt': 'A' }), 'application/zip'],
  ['old.doc', filled(hex('d0cf11e0a1b11ae1')), 'application/x-cfb'],
  ['rooming.csv', Buffer.from('name;room\nAyşe;12\n'), 'text/plain'],
  ['passengers.json', Buffer.from('{"a": "<b>"}'), 'text/plain'],
  ['mail.eml', Buffer.from('From: a@example.com\r\n\r\n<html><body>Hello</body></html>'), 'text/plain'],
  ['invoice.xml', Buffer.from('<?xml version="1.0"?><Invoice><svg/></Invoice>'), 'application/xml'],
  [
    'e-invoice.xml',
    Buffer.from('<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="i.xslt"?><Invoice/>'),
    'text/plain',
  ],
  ['rooms.txt', Buffer.from('<Rooms><Room>A &#38; B &#9999999;</Room></Rooms>'), 'text/plain'],
  ['bytes.bin', Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]), 'application/octet-stream'],
]
/** Files that are harmless and not what their names say. */
export const MISNAMED: readonly (readonly [name: string, bytes: Buffer])[] = [
  ['picture.png', PDF],
  ['voucher.pdf', PNG],
  ['photo.jpeg', PNG],
  ['scan.pdf', Buffer.from('only text')],
]

const HTML = '<html><body>Hello</body></html>'
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const utf16le = (text: string) => Buffer.concat([hex('fffe'), Buffer.from(text, 'utf16le')])
const utf16be = (text: string) => Buffer.concat([hex('feff'), Buffer.from(text, 'utf16le').swap16()])

/** Refused files. */
export const REFUSED: readonly (readonly [name: string, bytes: Buffer | string])[] = [
  ['setup.exe', filled('MZ')],
  ['photo.png', filled('MZ')],
  ['report.pdf', filled(hex('7f454c46 020101'))],
  ['program', filled(hex('cffaedfe 07000001'))],
  ['module.bin', hex('0061736d 01000000')],
  ['Main.bin', hex('cafebabe 00000034 0000')],
  ['page.txt', HTML],
  ['page.txt', `\n\t  <!DOCTYPE\nhtml><p>`],
  ['page.txt', '<!-- a comment --><html>'],
  ['page.txt', '<SCRIPT >alert(1)</SCRIPT>'],
  ['page.txt', `\ufeff${HTML}`],
  ['page.txt', utf16le(HTML)],
  ['page.txt', utf16be(HTML)],
  ['page.xml', `<?xml version="1.0"?><!-- x --><h:html xmlns:h="http://www.w3.org/1999/xhtml">`],
  ['page.xml', '<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:script>alert(1)</h:script></h:html>'],
  ['page.txt', '<a xmlns:h="http://www.w3.org/1999/xhtml"><h:script>alert(1)</h:script></a>'],
  [
    'invoice.xml',
    `<?xml version="1.0"?><Invoice><script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script></Invoice>`,
  ],
  ['invoice.xml', `<?xml version="1.0"?><Invoice>${SVG}</Invoice>`],
  ['invoice.xml', '<?xml version="1.0"?><a><b xmlns="http&#x03a;//www.w3.org/1999/&#120;html"/></a>'],
  ['invoice.xml', '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY w "http://www.w3.org/1999/">]><a xmlns="&w;xhtml"/>'],
  ['invoice.xml', utf16le('<?xml version="1.0"?><a><b xmlns="http://www.w3.org/1999/xhtml"/></a>')],
  ['sheet.xslt', '<a/>'],
  // The mark of a tar where one has it does not make a page an archive.
  ['archive.tar', Buffer.concat([Buffer.from(HTML.padEnd(257)), Buffer.from('ustar\u000000')])],
  ['drawing.png', SVG],
  ['drawing.xml', `<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "x" "y" [ <!ENTITY a "b"> ]>\n${SVG}`],
  ['drawing.xml', `<?xml version="1.0"?>${'<!-- long -->'.repeat(20_000)}${SVG}`],
  ['list.txt', '#!/usr/bin/env node\nconsole.log(1)\n'],
  ['list.txt', '<?php echo 1;'],
  // Recognisable only by name.
  ['script.js', 'alert(1)'],
  ['Script.JS. ', 'alert(1)'],
  ['run.bat', 'del *.*'],
  ['page.html', 'no tag at all'],
  ['voucher.pdf.exe', PDF],
  ['drawing.svg', 'x'],
]
