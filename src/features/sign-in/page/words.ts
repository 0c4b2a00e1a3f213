import type { Language } from '../../../platform/page/language.ts'

/** What the page of the console says until the console itself is there. */
export const SIGN_IN_WORDS = {
  en: {
    title: 'Sign in',
    noScript: 'Allow JavaScript for this page to sign in.',
    needsHttps: 'Browsers keep no session on this address. Open the console over HTTPS.',
    email: 'E-mail',
    password: 'Password',
    newPassword: 'New password, at least 12 characters',
    signIn: 'Sign in',
    choose: 'Save the password and sign in',
    signOut: 'Sign out',
    for: '{email} at {account}',
    signedIn: 'You are signed in',
    as: '{name} at {account}, as {role}.',
    failed: 'The request could not be sent. Check the connection and try again.',
    notFound: { title: 'Page not found', advice: 'Check the address, or open the console at /console/.' },
  },
  tr: {
    title: 'Oturum aç',
    noScript: 'Oturum açmak için bu sayfada JavaScript’e izin verin.',
    needsHttps: 'Tarayıcılar bu adreste oturum tutmaz. Konsolu HTTPS ile açın.',
    email: 'E-posta',
    password: 'Parola',
    newPassword: 'Yeni parola, en az 12 karakter',
    signIn: 'Oturum aç',
    choose: 'Parolayı kaydet ve oturum aç',
    signOut: 'Oturumu kapat',
    for: '{email}, {account}',
    signedIn: 'Oturumunuz açık',
    as: '{name}, {account}, rol: {role}.',
    failed: 'İstek gönderilemedi. Bağlantıyı denetleyip yeniden deneyin.',
    notFound: { title: 'Sayfa bulunamadı', advice: 'Adresi denetleyin ya da konsolu /console/ adresinde açın.' },
  },
} satisfies Record<Language, unknown>
