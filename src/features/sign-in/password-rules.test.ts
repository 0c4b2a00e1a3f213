import { describe, expect, it } from 'vitest'
import { passwordFault } from './password-rules.ts'

const PERSON = ['ayse.yilmaz@bosphorus.example', 'Ayşe Yılmaz', 'Boğaz Seyahat']
const faultOf = (password: string) => passwordFault(password, PERSON)

describe('a password', () => {
  it.each([
    'Password1234',
    'passwordpassword',
    'password-password!',
    'PASSWORDpassw',
    'P@$$w0rd2026!!',
    'p4ssw0rd p4ssw0rd',
    'ppaasssswwoorrdd',
    '!!!1l0v3y0u!!!',
    'qwertyuiop12',
    'qwertyuiop[]',
    'poiuytrewq2026',
    '123456789012',
    '098765432109',
    'abcdefghijkl',
    'asdfghjklzxc',
    'qweasdzxc123',
    'letmein-letmein',
    '2026Istanbul2026',
    'Fenerbahçe1907',
    'GALATASARAY1905!',
    'Şifreşifre12',
    'Summer2026!!',
    'changeme!2026',
    'monkey123monkey123',
  ])('that is common is refused: %s', async (password) => {
    expect(await faultOf(password)).toMatch(/^This is a common password/)
  })
  it.each([
    'ayseyilmaz2026',
    'AyşeYılmaz!!',
    'Yilmaz-19801231',
    'bosphorus-12345',
    'ayse.yilmaz@bosphorus.example',
    'BoğazSeyahat26',
    'ayse-password1',
  ])('of what is known of the person is refused: %s', async (password) => {
    expect(await faultOf(password)).toMatch(/^The password contains little more than a name/)
  })
  it.each([
    ['elevenchars', /at least 12/],
    ['abababababab', /more different/],
    ['a'.repeat(201), /at most 200/],
  ])('of a wrong form is refused: %s', async (password, reason) => {
    expect(await faultOf(password)).toMatch(reason)
  })
  it.each([
    'seven grey herons at dusk',
    'a quiet ferry to Kadıköy',
    'correct horse battery staple',
    'monkeys read the newspaper',
    'Ayşe likes green lanterns',
    'kx9#Tq2!vLm8',
    '9f2c41d7a8e60b35',
    '旅行社の秘密の合言葉です今日',
    '🦊🐻🐼🦁🐯🐨🐸🐙🦉🦄🐝🐢',
  ])('that is neither is taken: %s', async (password) => {
    expect(await faultOf(password)).toBe(null)
  })
})
