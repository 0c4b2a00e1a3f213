import type { Language } from '../../platform/page/language.ts'

/** What a mail says of a change of how somebody signs in. */
export const CHANGES = {
  en: {
    password_changed: 'Your password was changed. Your other sessions were ended.',
    identity_linked: 'Your seat was linked to a sign-in provider.',
    identity_unlinked: 'The link of your seat to a sign-in provider was removed.',
    email_changed: 'Your e-mail address was changed. From now on, sign in with the new one.',
    totp_added: 'An authenticator app was added.',
    totp_removed: 'The authenticator app was removed.',
    passkey_added: 'A passkey was added.',
    passkey_removed: 'A passkey was removed.',
    recovery_code_used: 'A recovery code was used in place of your second factor.',
    recovery_codes_renewed: 'New recovery codes were made. The earlier ones are no longer good.',
    second_factor_reset:
      'Somebody who manages people removed your second factors and ended your sessions. Add a second factor again when you next sign in.',
  },
  tr: {
    password_changed: 'Şifreniz değiştirildi. Diğer oturumlarınız kapatıldı.',
    identity_linked: 'Hesabınız bir oturum sağlayıcısına bağlandı.',
    identity_unlinked: 'Hesabınızın bir oturum sağlayıcısıyla bağı kaldırıldı.',
    email_changed: 'E-posta adresiniz değiştirildi. Bundan sonra yenisiyle oturum açın.',
    totp_added: 'Bir doğrulama uygulaması eklendi.',
    totp_removed: 'Doğrulama uygulaması kaldırıldı.',
    passkey_added: 'Bir geçiş anahtarı eklendi.',
    passkey_removed: 'Bir geçiş anahtarı kaldırıldı.',
    recovery_code_used: 'İkinci doğrulamanız yerine bir kurtarma kodu kullanıldı.',
    recovery_codes_renewed: 'Yeni kurtarma kodları oluşturuldu. Eskileri artık geçerli değil.',
    second_factor_reset:
      'Kişileri yöneten biri ikinci doğrulamalarınızı kaldırdı ve oturumlarınızı kapattı. Bir sonraki oturumunuzda yeniden ikinci doğrulama ekleyin.',
  },
} satisfies Record<Language, Record<string, string>>
export type CredentialChange = keyof (typeof CHANGES)['en']

/** Where a change came from that an operator made. */
export const ON_THE_SERVER: Readonly<Record<Language, string>> = {
  en: 'command line of the server',
  tr: 'sunucunun komut satırı',
}
/** A device whose browser does not name itself. */
export const UNKNOWN_DEVICE: Readonly<Record<Language, string>> = { en: 'unknown', tr: 'bilinmiyor' }
