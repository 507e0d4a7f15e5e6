import { describe, expect, it } from '@jest/globals';
import { IN_MEMORY_DATA_DIR, loadSettings, SettingsError } from './settings.js';

const inMemory = { DATA_DIR: IN_MEMORY_DATA_DIR };

describe('the addresses in settings', () => {
  it('the addresses in settings have several origins', () => {
    const env = { ...inMemory, CORS_ORIGINS: 'https://a.example, https://b.example' };
    expect(loadSettings(env).corsOrigins).toEqual(['https://a.example', 'https://b.example']);
  });

  it.each([
    'https://a.example',
    'http://localhost:5173',
    'http://127.0.0.1:8080',
    'http://[::1]:3000',
    'https://xn--mnchen-3ya.example',
    'capacitor://localhost',
    'ionic://localhost',
    'tauri://localhost',
    'chrome-extension://aapbdbdomjkkjkaonfhkkikfgjllcleb',
    'moz-extension://4b07ba8c-3a5a-4a0d-8f0e-2d6c7f1b9a5e',
    'app://localhost:8080',
  ])('the addresses in settings may be the origin %s', (origin) => {
    expect(loadSettings({ ...inMemory, CORS_ORIGINS: origin }).corsOrigins).toEqual([origin]);
  });

  // Browsers compare with what they send, byte by byte: any of these would match nothing.
  it.each([
    ['https://a.example/', 'https://a.example'],
    ['https://a.example/app', 'https://a.example'],
    ['https://a.example?query', 'https://a.example'],
    ['https://a.example#top', 'https://a.example'],
    ['https://A.example', 'https://a.example'],
    ['HTTPS://a.example', 'https://a.example'],
    ['https://a.example:443', 'https://a.example'],
    ['http://a.example:80', 'http://a.example'],
    ['https://user@a.example', 'https://a.example'],
    ['https://münchen.example', 'https://xn--mnchen-3ya.example'],
    ['a.example', 'https://app.example.com'],
    ['localhost:5173', 'https://app.example.com'],
    ['//a.example', 'https://app.example.com'],
    ['ftp://a.example', 'https://app.example.com'],
    ['https://', 'https://app.example.com'],
    ['https://a.example:99999', 'https://app.example.com'],
    ['null', 'https://app.example.com'],
    ['https://*.example.com', 'https://app.example.com'],
    ['capacitor://*', 'https://app.example.com'],
    ['capacitor://localhost/', 'capacitor://localhost'],
    ['file:///app', 'https://app.example.com'],
    ['*', 'https://app.example.com'],
    ['', 'https://app.example.com'],
  ])(
    'the addresses in settings may not be the origin "%s" among others, and the error names one that is right',
    (origin, right) => {
      const env = { ...inMemory, CORS_ORIGINS: `https://b.example, ${origin}` };
      expect(() => loadSettings(env)).toThrow(
        new SettingsError(
          `The settings are not valid:\n  CORS_ORIGINS: "${origin}" is not an origin such as ${right}`,
        ),
      );
    },
  );

  it.each([
    ['https://example.com', 'https://example.com'],
    ['https://example.com/', 'https://example.com'],
    ['https://example.com/gastos/', 'https://example.com/gastos'],
    ['https://example.com/a/b//', 'https://example.com/a/b'],
    ['HTTPS://Example.com:443/Gastos', 'https://example.com/Gastos'],
    ['http://localhost:8080/../gastos', 'http://localhost:8080/gastos'],
    ['https://example.com/año', 'https://example.com/a%C3%B1o'],
    ['http://[::1]:8080/gastos', 'http://[::1]:8080/gastos'],
  ])('the addresses in settings may be the public URL %s, which is %s', (PUBLIC_URL, publicUrl) => {
    expect(loadSettings({ ...inMemory, PUBLIC_URL })).toMatchObject({ publicUrl });
  });

  it('the addresses in settings are all named if they are wrong', () => {
    const env = { ...inMemory, CORS_ORIGINS: 'https://a.example/,https://b.example,*' };
    expect(() => loadSettings(env)).toThrow(
      'CORS_ORIGINS: "https://a.example/" is not an origin such as https://a.example; "*" is not',
    );
  });
});
