/**
 * The service worker of the built page: keeps its files, so that it also starts without a connection.
 * A new version waits until the pages of the one before are closed, which still need its files.
 * What the service has answered is kept by src/offline.ts.
 */
// vite.config.ts writes the names of the files here.
const FILES = __FILES__;
const CACHE = `files ${__VERSION__}`;

addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(['./', ...FILES])));
});

addEventListener('activate', (event) => {
  event.waitUntil(removeOtherVersions());
});

async function removeOtherVersions() {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith('files ') && name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
}

addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  if (method !== 'GET' || !url.startsWith(registration.scope)) return;
  if (mode === 'navigate') event.respondWith(fetch(event.request).catch(() => keptOf('./')));
  else if (FILES.some((file) => url === registration.scope + file)) {
    event.respondWith(keptOf(url).then((kept) => kept ?? fetch(event.request)));
  }
});

/** Whatever `Vary` says: a file is the same for every origin. */
const keptOf = (url) => caches.match(url, { ignoreVary: true });
