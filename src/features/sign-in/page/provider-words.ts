import type { Language } from '../../../platform/page/language.ts'
import type { ProblemName } from '../oidc/problem.ts'

type Words = { readonly signInWith: string; readonly problems: Readonly<Record<ProblemName, string>> }

/** What the sign-in page says of providers. */
export const PROVIDER_WORDS: Readonly<Record<Language, Words>> = {
  en: {
    signInWith: 'Sign in with {name}',
    problems: {
      expired:
        'This sign-in was finished already, began in another browser, or took longer than ten minutes. Begin again.',
      refused: 'The provider did not sign you in. Begin again, or sign in another way.',
      unreachable: 'The provider cannot be reached. Try again in a moment, or sign in another way.',
      invalid: 'The provider’s answer was not accepted. Ask whoever set the provider up.',
      unknown_provider: 'This account does not sign in by this provider any more. Sign in another way.',
      not_linked:
        'This person of the provider is not linked to anybody here. Use your invitation, or sign in another way and link the provider.',
      linked_elsewhere: 'This person of the provider is linked to somebody else of the account.',
      link_used: 'This invitation was used or has expired. Ask for another one.',
      signed_out: 'You are no longer signed in here. Sign in, and begin again.',
    },
  },
  tr: {
    signInWith: '{name} ile oturum aç',
    problems: {
      expired: 'Bu oturum açma tamamlanmış, başka bir tarayıcıda başlamış ya da on dakikayı aşmış. Yeniden başlayın.',
      refused: 'Sağlayıcı oturumunuzu açmadı. Yeniden başlayın ya da başka bir yolla oturum açın.',
      unreachable: 'Sağlayıcıya ulaşılamıyor. Birazdan yeniden deneyin ya da başka bir yolla oturum açın.',
      invalid: 'Sağlayıcının yanıtı kabul edilmedi. Sağlayıcıyı kuran kişiye danışın.',
      unknown_provider: 'Bu hesapta artık bu sağlayıcıyla oturum açılmıyor. Başka bir yolla oturum açın.',
      not_linked:
        'Sağlayıcıdaki bu kişi burada kimseye bağlı değil. Davetinizi kullanın ya da başka bir yolla oturum açıp sağlayıcıyı bağlayın.',
      linked_elsewhere: 'Sağlayıcıdaki bu kişi hesaptaki başka birine bağlı.',
      link_used: 'Bu davet kullanılmış ya da süresi dolmuş. Yeni bir davet isteyin.',
      signed_out: 'Oturumunuz artık açık değil. Oturum açın ve yeniden başlayın.',
    },
  },
}
