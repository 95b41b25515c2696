// SPDX-License-Identifier: Apache-2.0
// Structures, slices, vectors, boxes, enumerations with data, maps, strings, trait
// objects. Of what the standard library allocates, only the blocks of vectors and strings
// are told. Layouts are those that the compiler chose.
#![allow(static_mut_refs)]
use std::collections::HashMap;
use std::ffi::c_void;
use std::mem::size_of;
use std::os::raw::c_char;
use std::rc::Rc;

extern "C" {
    fn truth_block(pointer: *const c_void, size: usize, kind: *const c_char);
    fn truth_object(
        pointer: *const c_void,
        size: usize,
        variable: *const c_char,
        kind: *const c_char,
    );
    fn truth_type(kind: *const c_char, size: usize);
    fn truth_member(
        owner: *const c_char,
        name: *const c_char,
        offset: usize,
        size: usize,
        kind: *const c_char,
    );
    fn truth_forget(pointer: *const c_void);
    fn truth_begin();
    fn truth_end();
}

macro_rules! text {
    ($text:expr) => {
        concat!($text, "\0").as_ptr() as *const c_char
    };
}

macro_rules! tell_block {
    ($first:expr, $count:expr, $each:ty, $kind:expr) => {
        unsafe {
            truth_block(
                $first as *const _ as *const c_void,
                $count * size_of::<$each>(),
                text!($kind),
            )
        }
    };
}

macro_rules! tell {
    ($variable:expr, $name:expr, $kind:expr) => {
        unsafe {
            truth_object(
                std::ptr::addr_of!($variable) as *const c_void,
                std::mem::size_of_val(&$variable),
                text!($name),
                text!($kind),
            )
        }
    };
}

macro_rules! forget {
    ($pointer:expr) => {
        unsafe { truth_forget($pointer as *const _ as *const c_void) }
    };
}

// Members by their addresses in an object; an aggregate one is followed by its type.
macro_rules! tell_members {
    ($kind:expr, $object:expr, $($member:ident $(: $part:expr)?),*) => {
        unsafe {
            let whole = std::ptr::addr_of!($object) as usize;
            truth_type(text!($kind), std::mem::size_of_val(&$object));
            $(
                let at = std::ptr::addr_of!($object.$member) as usize - whole;
                let size = std::mem::size_of_val(&$object.$member);
                #[allow(unused_mut, unused_assignments)]
                let mut part: *const c_char = std::ptr::null();
                $(part = text!($part);)?
                truth_member(text!($kind), text!(stringify!($member)), at, size, part);
            )*
        }
    };
}

#[derive(Clone, Copy)]
struct Point {
    x: f64,
    y: f64,
}

struct Particle {
    alive: bool,
    position: Point,
    speed: Point,
    charge: i32,
    marks: [u8; 3],
}

enum Event {
    Quiet,
    Moved { by: f64, steps: u32 },
    Named(Box<Point>),
}

trait Draw {
    fn area(&self) -> f64;
    fn grow(&mut self, by: f64);
}

struct Circle {
    radius: f64,
    calls: u32,
}

struct Square {
    corner: Point,
    side: f64,
}

impl Draw for Circle {
    fn area(&self) -> f64 {
        3.0 * self.radius * self.radius
    }
    fn grow(&mut self, by: f64) {
        self.radius += by;
        self.calls += 1;
    }
}

impl Draw for Square {
    fn area(&self) -> f64 {
        self.side * self.side + self.corner.x
    }
    fn grow(&mut self, by: f64) {
        self.side += by;
        self.corner.y -= by;
    }
}

struct Node {
    value: i64,
    next: Option<Box<Node>>,
}

struct Shared {
    count: std::cell::Cell<i32>,
    limit: i32,
}

static mut G_TABLE: [u32; 32] = [0; 32];
static mut G_TOTAL: i64 = 0;
static G_PRIMES: [u16; 8] = [2, 3, 5, 7, 11, 13, 17, 19];
static mut G_ORIGIN: Point = Point { x: 1.0, y: 2.0 };

#[inline(never)]
fn step(particles: &mut [Particle], by: f64) {
    for particle in particles.iter_mut() {
        particle.position.x += particle.speed.x * by;
        particle.position.y += particle.speed.y * by;
        particle.alive = particle.charge % 3 != 0;
        particle.marks[1] = particle.marks[1].wrapping_add(particle.charge as u8);
    }
}

#[inline(never)]
fn total(particles: &[Particle]) -> f64 {
    let mut sum = 0.0;
    for i in 0..particles.len() {
        if particles[i].alive {
            sum += particles[i].position.x * particles[i].charge as f64;
        }
    }
    sum
}

#[inline(never)]
fn fill(numbers: &mut [i32]) -> i32 {
    for (i, number) in numbers.iter_mut().enumerate() {
        *number = (i * i) as i32;
    }
    numbers.iter().sum()
}

#[inline(never)]
fn use_globals() -> i64 {
    unsafe {
        for i in 0..32 {
            G_TABLE[i] = (G_PRIMES[i % 8] as u32) * i as u32;
        }
        G_ORIGIN.x += G_TABLE[5] as f64;
        G_ORIGIN.y = G_ORIGIN.x * 2.0;
        G_TOTAL += G_TABLE[7] as i64 + G_ORIGIN.y as i64;
        G_TOTAL
    }
}

#[inline(never)]
fn use_events(events: &mut [Event]) -> f64 {
    let mut sum = 0.0;
    for event in events.iter_mut() {
        match event {
            Event::Quiet => sum += 1.0,
            Event::Moved { by, steps } => {
                *steps += 1;
                sum += *by * *steps as f64;
            }
            Event::Named(point) => {
                point.x += 1.0;
                sum += point.x + point.y;
            }
        }
    }
    sum
}

#[inline(never)]
fn draw(shapes: &mut [Box<dyn Draw>]) -> f64 {
    let mut sum = 0.0;
    for shape in shapes.iter_mut() {
        shape.grow(0.5);
        sum += shape.area();
    }
    sum
}

#[inline(never)]
fn push(head: Option<Box<Node>>, value: i64) -> Option<Box<Node>> {
    let node = Box::new(Node { value, next: head });
    tell_block!(&*node, 1, Node, "Node");
    Some(node)
}

#[inline(never)]
fn sum_list(head: &Option<Box<Node>>) -> i64 {
    let mut sum = 0;
    let mut at = head;
    while let Some(node) = at {
        sum += node.value;
        at = &node.next;
    }
    sum
}

#[inline(never)]
fn use_map(map: &mut HashMap<u32, u64>) -> u64 {
    for i in 0..4u32 {
        *map.entry(i % 3).or_insert(1) += i as u64;
    }
    map.get(&1).copied().unwrap_or(0)
}

#[inline(never)]
fn count_letters(text: &str, letter: u8) -> usize {
    let mut count = 0;
    for byte in text.bytes() {
        if byte == letter {
            count += 1;
        }
    }
    count
}

#[inline(never)]
fn use_locals(by: f64) -> f64 {
    let mut point = Point { x: by, y: 1.0 };
    let mut numbers = [0i64; 6];
    let mut scale = 1.5f64;
    tell!(point, "point", "Point");
    tell!(numbers, "numbers", "i64");
    tell!(scale, "scale", "f64");
    for i in 0..6 {
        numbers[i] = (point.x as i64) + i as i64;
        point.y += numbers[i] as f64 * scale;
        scale *= 1.25;
    }
    let sum = point.y + numbers[(by as usize) % 6] as f64 + scale;
    forget!(&point);
    forget!(&numbers);
    forget!(&scale);
    sum
}

#[inline(never)]
fn use_shared(shared: &Rc<Shared>) -> i32 {
    let other = shared.clone();
    for i in 0..other.limit {
        other.count.set(shared.count.get() + i);
    }
    other.count.get()
}

fn declare() {
    let point = Point { x: 0.0, y: 0.0 };
    let particle = Particle {
        alive: true,
        position: point,
        speed: point,
        charge: 1,
        marks: [0; 3],
    };
    let circle = Circle {
        radius: 0.0,
        calls: 0,
    };
    let square = Square {
        corner: point,
        side: 1.0,
    };
    let node = Node {
        value: 0,
        next: None,
    };
    let shared = Shared {
        count: std::cell::Cell::new(0),
        limit: 0,
    };
    tell_members!("Point", point, x, y);
    tell_members!(
        "Particle", particle, alive, position: "Point", speed: "Point", charge, marks
    );
    tell_members!("Circle", circle, radius, calls);
    tell_members!("Square", square, corner: "Point", side);
    tell_members!("Node", node, value, next: "Option");
    unsafe {
        // Members of these are the compiler's.
        truth_type(text!("Option"), size_of::<Option<Box<Node>>>());
        truth_type(text!("Event"), size_of::<Event>());
        truth_type(text!("Cell"), 4);
        truth_type(text!("Box"), size_of::<Box<dyn Draw>>());
    }
    tell_members!("Shared", shared, count: "Cell", limit);
    tell!(G_TABLE, "G_TABLE", "u32");
    tell!(G_TOTAL, "G_TOTAL", "i64");
    tell!(G_PRIMES, "G_PRIMES", "u16");
    tell!(G_ORIGIN, "G_ORIGIN", "Point");
}

fn main() {
    declare();
    let mut particles: Vec<Particle> = (0..10)
        .map(|i| Particle {
            alive: false,
            position: Point {
                x: i as f64,
                y: 0.0,
            },
            speed: Point {
                x: 0.5,
                y: i as f64,
            },
            charge: i,
            marks: [i as u8; 3],
        })
        .collect();
    let mut numbers = vec![0i32; 40];
    let mut events = vec![
        Event::Quiet,
        Event::Moved { by: 2.5, steps: 3 },
        Event::Quiet,
    ];
    let named = Box::new(Point { x: 1.0, y: 5.0 });
    tell_block!(&*named, 1, Point, "Point");
    events.push(Event::Named(named));
    let circle = Box::new(Circle {
        radius: 1.0,
        calls: 0,
    });
    tell_block!(&*circle, 1, Circle, "Circle");
    let square = Box::new(Square {
        corner: Point { x: 0.0, y: 1.0 },
        side: 2.0,
    });
    tell_block!(&*square, 1, Square, "Square");
    let mut shapes: Vec<Box<dyn Draw>> = vec![circle, square];
    let text = String::from("a string of some letters");
    let shared = Rc::new(Shared {
        count: std::cell::Cell::new(1),
        limit: 6,
    });
    let mut map = HashMap::new();
    tell_block!(particles.as_ptr(), particles.len(), Particle, "Particle");
    tell_block!(numbers.as_ptr(), numbers.len(), i32, "i32");
    tell_block!(events.as_ptr(), events.len(), Event, "Event");
    tell_block!(shapes.as_ptr(), shapes.len(), Box<dyn Draw>, "Box");
    tell_block!(text.as_ptr(), text.len(), u8, "u8");
    tell_block!(&*shared, 1, Shared, "Shared");
    unsafe { truth_begin() };
    let mut sum = 0.0;
    for _ in 0..3 {
        step(&mut particles, 0.25);
        sum += total(&particles) + use_events(&mut events) + draw(&mut shapes);
    }
    sum += (fill(&mut numbers) + use_shared(&shared)) as f64;
    let mut head = None;
    for i in 0..6 {
        head = push(head, i);
    }
    sum += (sum_list(&head) + use_globals()) as f64;
    sum += use_map(&mut map) as f64 + count_letters(&text, b't') as f64 + use_locals(3.0);
    unsafe { truth_end() };
    println!("{} {}", sum, unsafe { G_TOTAL });
}
