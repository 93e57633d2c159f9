// The form that submits a bot: files and folders can be dropped, and the upload shows how far it is.
// Without this script the form sends one file.

import { zipped } from "./zip.js";

const form = document.getElementById("submit");
if (form) begin(form);

function begin(form) {
  const drop = document.getElementById("drop");
  const input = form.elements.file;
  const folder = document.getElementById("folder");
  const told = form.querySelector(".upload");
  let packed = null;

  for (const each of form.querySelectorAll(".by-script")) each.hidden = false;
  input.addEventListener("change", () => choose(null, ""));
  folder.addEventListener("change", async () => {
    const files = [...folder.files].map((file) => [file.webkitRelativePath, file]);
    if (files.length) await pack(files, files[0][0].split("/")[0]);
  });
  for (const name of ["dragenter", "dragover"]) {
    drop.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
  }
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", async (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    const entry = event.dataTransfer.items[0]?.webkitGetAsEntry?.();
    if (entry?.isDirectory) {
      await pack(await inside(entry, ""), entry.name);
    } else if (event.dataTransfer.files.length) {
      input.files = event.dataTransfer.files;
      choose(null, "");
    }
  });

  async function pack(files, name) {
    // What a folder has beside the bot: the league would leave it out too.
    const kept = files.filter(([path]) => !/(^|\/)(\.[^/]*|__pycache__)(\/|$)/.test(path));
    const contents = await Promise.all(
      kept.map(async ([path, file]) => [path.slice(path.indexOf("/") + 1), new Uint8Array(await file.arrayBuffer())]),
    );
    choose(new File([zipped(contents)], `${name}.zip`, { type: "application/zip" }), `${contents.length} files of ${name}`);
  }

  function choose(file, words) {
    packed = file;
    input.required = !file;
    if (file) input.value = "";
    say(words, null);
  }

  function say(words, share) {
    told.hidden = !words;
    told.querySelector("span").textContent = words;
    const bar = told.querySelector("progress");
    bar.hidden = share === null;
    bar.value = share ?? 0;
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const data = new FormData(form);
    if (packed) data.set("file", packed);
    if (data.get("file").size > Number(form.dataset.most)) {
      say("This is larger than the season takes.", null);
      return;
    }
    const button = form.querySelector("button.primary");
    button.disabled = true;
    const request = new XMLHttpRequest();
    request.open("POST", form.action);
    request.responseType = "document";
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      say(loaded < total ? "Uploading" : "Received: the league stores it", loaded / total);
    });
    request.addEventListener("load", () => {
      if (request.status < 400 && request.responseURL) {
        location.assign(request.responseURL);
        return;
      }
      button.disabled = false;
      const why = request.response?.querySelector(".message.wrong, .error p:not(.quiet)");
      say(why ? why.textContent : `The league answered with status ${request.status}.`, null);
    });
    request.addEventListener("error", () => {
      button.disabled = false;
      say("The league can't be reached. Nothing was submitted: try again.", null);
    });
    request.send(data);
  });
}

// Returns the files inside a dropped folder, each with its path.
async function inside(folder, above) {
  const path = `${above}${folder.name}/`;
  const reader = folder.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return found;
    for (const each of some) {
      if (each.isDirectory) found.push(...(await inside(each, path)));
      else found.push([path + each.name, await new Promise((resolve, reject) => each.file(resolve, reject))]);
    }
  }
}
