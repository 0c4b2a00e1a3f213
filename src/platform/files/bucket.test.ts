import { describe, expect, it } from 'vitest'
import { readBucket } from './bucket.ts'

const AMAZON = 'https://s3.us-east-1.amazonaws.com'
describe('the address of a bucket', () => {
  it.each([
    ['s3://k:s@files', `https://files.s3.us-east-1.amazonaws.com`],
    ['s3://k:s@files/', `https://files.s3.us-east-1.amazonaws.com`],
    ['s3://k:s@files?path_style=true', `${AMAZON}/files`],
    ['s3://k:s@files/cell/one/?region=eu-west-1', 'https://files.s3.eu-west-1.amazonaws.com/cell/one'],
    ['s3://k:s@files?endpoint=http://localhost:9000', 'http://localhost:9000/files'],
    ['s3://k:s@files/cell?endpoint=https://store.example/s3/', 'https://store.example/s3/files/cell'],
    ['s3://k:s@files?endpoint=https://store.example&path_style=false', 'https://files.store.example'],
  ])('%s leads to %s', (text, url) => {
    expect(readBucket(text)).toMatchObject({ key: 'k', secret: 's', url })
  })
  it('may have signs of any kind in its secret', () => {
    expect(readBucket(`s3://k:${encodeURIComponent('a/b+c=@:%')}@files`)?.secret).toBe('a/b+c=@:%')
  })
  it.each([
    'https://k:s@files',
    's3://files',
    's3://k@files',
    's3://:s@files',
    's3://k:%zz@files',
    's3://k:s@',
    's3://k:s@Files',
    's3://k:s@files:80',
    's3://k:s@files/a//b',
    's3://k:s@files/.hidden',
    's3://k:s@files?endpoint=ftp://store.example',
    's3://k:s@files?endpoint=store.example',
    's3://k:s@files?path_style=yes',
    's3://k:s@files?region=a.b',
    's3://k:s@files#x',
  ])('is refused: %s', (text) => {
    expect(readBucket(text)).toBeNull()
  })
})
