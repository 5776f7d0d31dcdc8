// The least that a page needs: choose a project, give a paper, see its labels. Text is only ever set as text.

const element = (id) => document.getElementById(id);

async function ask(path, options) {
  const response = await fetch(path, options);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  return answer;
}

async function showProjects() {
  const { projects } = await ask("/api/projects");
  element("project").replaceChildren(...projects.map((project) => new Option(project.name, project.id)));
}

function bodyOf(file, text) {
  if (!file) return { body: text, headers: { "Content-Type": "text/plain" } };
  const form = new FormData();
  form.append("file", file);
  return { body: form };
}

function shown(label) {
  const item = document.createElement("li");
  const path = label.path.slice(0, -1).map((broader) => broader.name).join(" › ");
  item.textContent = `${label.name} (${label.score.toFixed(2)})${path ? `, ${path}` : ""}`;
  item.dataset.indicatedBy = label.indicated_by;
  return item;
}

async function classify(event) {
  event.preventDefault();
  element("status").textContent = "Reading and ranking…";
  element("labels").replaceChildren();
  try {
    const project = encodeURIComponent(element("project").value);
    const sent = bodyOf(element("file").files[0], element("text").value);
    const { paper, labels } = await ask(`/api/projects/${project}/classify`, { method: "POST", ...sent });
    element("status").textContent = paper.title;
    element("labels").replaceChildren(...labels.map(shown));
  } catch (error) {
    element("status").textContent = error.message;
  }
}

element("ask").addEventListener("submit", classify);
showProjects().catch((error) => { element("status").textContent = error.message; });
